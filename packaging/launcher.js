#!/usr/bin/env node
// Runs the program of the package for this system, and ends as it does.
"use strict";

const { spawn } = require("node:child_process");

const system = `${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "dibber.exe" : "dibber";

let program;
try {
  program = require.resolve(`dibber-cli-${system}/bin/${file}`);
} catch {
  console.error(`error: the npm package dibber-cli-${system} is not installed`);
  console.error("help: install dibber-cli with its optional dependencies; if there is none for");
  console.error("      this system, build dibber from source");
  process.exit(2);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A terminal sends SIGINT to both processes; the others reach only this one.
process.on("SIGINT", () => {});
for (const signal of ["SIGHUP", "SIGTERM"]) process.on(signal, () => child.kill(signal));

child.on("error", (error) => {
  console.error(`error: cannot run ${program}: ${error.message}`);
  process.exitCode = 2;
});
child.on("exit", (code, signal) => {
  if (signal === null) {
    process.exitCode = code;
  } else {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
});
