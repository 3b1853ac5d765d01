// A proxy on the loopback that adds the token of `dibber serve` to every request, since the
// conformance suite has no option for headers. Everything else goes through as it is, the host and
// the origin of a request too, so that the suite sees how the real server treats them.
//
// node authorize.mjs PORT TOKEN_FILE: listens on a free port and prints it.
import { readFileSync } from "node:fs";
import http from "node:http";

const [port, tokenFile] = process.argv.slice(2);
const token = readFileSync(tokenFile, "utf8").trim();

const proxy = http.createServer((request, response) => {
  const headers = { ...request.headers, authorization: `Bearer ${token}` };
  const { method, url: path } = request;
  const onward = http.request({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  response.on("close", () => onward.destroy());
  request.pipe(onward);
});
proxy.listen(0, "127.0.0.1", () => console.log(proxy.address().port));
