"""Code that leaves processes behind, whose command line contains a marker."""

import os
import sys
import time


def leave(args):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            program = "import time; time.sleep(60)"
            os.execv(sys.executable, [sys.executable, "-c", program, args["marker"]])
        os._exit(0)
    time.sleep(args.get("sleep", 0.05))
    open("file", "w").close()
