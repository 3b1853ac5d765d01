"""Prints what the sandbox has to mount for this interpreter, as JSON."""

import json
import sys

# Extension modules whose libraries are loaded only when they are imported.
for name in ("bz2", "ctypes", "decimal", "hashlib", "lzma", "sqlite3", "ssl", "uuid", "zlib"):
    try:
        __import__(name)
    except ImportError:
        pass

with open("/proc/self/maps") as maps:
    mapped = {line.split(maxsplit=5)[5].strip() for line in maps if "/" in line}

print(
    json.dumps(
        {
            "version": list(sys.version_info[:2]),
            "executable": sys.executable,
            "prefixes": [sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix],
            "path": [entry for entry in sys.path if entry],
            "libraries": sorted(path for path in mapped if ".so" in path),
        }
    )
)
