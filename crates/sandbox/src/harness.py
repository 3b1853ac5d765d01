"""Runs one function of a skill or of given code, inside the sandbox.

The job is JSON on standard input. The result is one JSON object on the descriptor whose number is the
first argument: `{"output": ...}`, or `{"error": {"type", "message", "trace"}}`. A mark is written before
any of the code runs. What the code prints goes to standard error.
"""

import os
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import MappingProxyType, ModuleType

TRACE_FRAMES_MAX = 20
MESSAGE_CHARACTERS_MAX = 4000
CODE_FILE = "<code>"
# A run that has written it is not repeated, however it ends.
BEGUN_MARK = b"begun\n"


class EntrypointNotFound(Exception):
    """The module has no function of the given name."""


class NotSerializable(Exception):
    """The function returned something that JSON cannot express."""


class Json:
    """What `json` does, with its functions in C: importing `json` takes as long as all the rest."""

    strict = True
    object_hook = object_pairs_hook = parse_constant = None
    parse_float = float
    parse_int = int

    def loads(self, text):
        try:
            from _json import make_scanner
        except ImportError:
            import json

            return json.loads(text)
        return make_scanner(self)(text, 0)[0]

    def dumps(self, value):
        try:
            from _json import encode_basestring, make_encoder

            encoder = make_encoder(
                {}, self.default, encode_basestring, None, ": ", ", ", False, False, False
            )
        except (ImportError, TypeError):
            import json

            return json.dumps(value, ensure_ascii=False, allow_nan=False)
        return "".join(encoder(value, 0))

    def default(self, value):
        raise TypeError("`%s` is not a type of JSON" % type(value).__name__)


JSON = Json()


class SkillFinder:
    """Finds `skills.<dotted name>`, whose submodules are in the directory of its entry point."""

    def __init__(self, root, skills):
        self.files = {module_name(skill["name"]): entry_file(root, skill) for skill in skills}
        parts = [name.split(".") for name in self.files]
        self.parents = {".".join(p[:length]) for p in parts for length in range(1, len(p))}

    def find_spec(self, name, path=None, target=None):
        file = self.files.get(name)
        if file is not None:
            spec = ModuleSpec(name, SourceFileLoader(name, file), origin=file, is_package=True)
            spec.submodule_search_locations = [os.path.dirname(file)]
            spec.has_location = True
            return spec
        if name == "skills" or name in self.parents:
            return ModuleSpec(name, None, is_package=True)
        return None


class Blobs(ModuleType):
    """The module `runtime.blobs`: read-only access to the blobs of this run."""

    def __init__(self, root):
        super().__init__("runtime.blobs")
        self.__root = root

    def list(self):
        """Returns the ids of the blobs of this run, sorted."""
        return ["blob:" + name for name in sorted(os.listdir(self.__root))]

    def path(self, blob_id):
        """Returns the path of a blob, given its id with or without `blob:`."""
        name = blob_id[5:] if blob_id.startswith("blob:") else blob_id
        if not name or "/" in name or name.startswith("."):
            raise FileNotFoundError("no such blob: " + blob_id)
        return os.path.join(self.__root, name)

    def read_bytes(self, blob_id):
        """Returns the content of a blob as bytes."""
        with open(self.path(blob_id), "rb") as file:
            return file.read()

    def read_text(self, blob_id, encoding="utf-8"):
        """Returns the content of a blob as a string."""
        return self.read_bytes(blob_id).decode(encoding)


def module_name(skill_name):
    return "skills." + skill_name.replace("-", "_")


def entry_file(root, skill):
    return os.path.join(root, skill["name"], skill.get("entrypoint") or "code/main.py")


def skill_directories(job):
    names = {skill["name"] for skill in job["skills"]}
    root = job["skills_root"]

    def skill_directory(name):
        """Returns the directory with the files of a skill of this run, which are read-only."""
        if name not in names:
            raise FileNotFoundError("no such skill: " + name)
        return os.path.join(root, name)

    return skill_directory


def install_modules(job):
    """Makes `skills` and `runtime` importable."""
    sys.meta_path.insert(0, SkillFinder(job["skills_root"], job["skills"]))
    runtime = ModuleType("runtime", "What a run may use: files, blobs and secrets.")
    runtime.__path__ = []
    runtime.workspace = os.getcwd()
    runtime.skill_directory = skill_directories(job)
    runtime.blobs = Blobs(job["blobs_root"])
    runtime.secrets = MappingProxyType(job["secrets"])
    sys.modules["runtime"] = runtime
    sys.modules["runtime.blobs"] = runtime.blobs


def load(job):
    """Returns the namespace with the function to call."""
    skill = job.get("skill")
    if skill is None:
        module = ModuleType("__main__")
        sys.modules["__main__"] = module
        exec(compile(job["code"], CODE_FILE, "exec"), module.__dict__)
        return module
    name = module_name(skill)
    # Modules beside the entry point are found as they are when Python runs the file itself.
    sys.path.insert(0, os.path.dirname(sys.meta_path[0].files[name]))
    __import__(name)
    return sys.modules[name]


def call(job):
    module = load(job)
    function = getattr(module, job["function"], None)
    if not callable(function):
        raise EntrypointNotFound("there is no function `%s`" % job["function"])
    value = function(job["args"])
    try:
        return JSON.dumps({"output": value}).encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise NotSerializable("the returned value is not JSON: %s" % error) from None


def describe(error, source):
    """Returns the result for an exception, without the frames of this file."""
    try:
        message = str(error)[:MESSAGE_CHARACTERS_MAX]
    except BaseException:
        message = "(the exception has no readable message)"
    trace = None
    if not isinstance(error, (EntrypointNotFound, NotSerializable)):
        trace = trace_of(error, source)
    details = {"type": type(error).__name__, "message": message, "trace": trace}
    return JSON.dumps({"error": details}).encode("utf-8", "replace")


def trace_of(error, source):
    try:
        import linecache
        import traceback

        if source is not None:
            lines = source.splitlines(keepends=True)
            linecache.cache[CODE_FILE] = (len(source), None, lines, CODE_FILE)
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename != "<string>"]
        lines = traceback.format_list(frames[-TRACE_FRAMES_MAX:])
        lines += traceback.format_exception_only(type(error), error)
        # Cut at the end, where the beginning of a secret is found.
        return "".join(lines)[: 4 * MESSAGE_CHARACTERS_MAX]
    except BaseException:
        return None


def write(descriptor, data):
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def read_job():
    with open(0, "rb", closefd=False) as stdin:
        job = JSON.loads(stdin.read().decode("utf-8"))
    null = os.open("/dev/null", os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return job


def result_descriptor():
    """Returns the descriptor of the result, which programs started by the code do not inherit."""
    number = int(sys.argv[1])
    descriptor = os.dup(number)
    if number == 1:
        os.dup2(2, 1)
    else:
        os.close(number)
    return descriptor


def main():
    descriptor = result_descriptor()
    job = read_job()
    sys.argv = [CODE_FILE]
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, errors="backslashreplace")
    try:
        install_modules(job)
        write(descriptor, BEGUN_MARK)
        result = call(job)
    except BaseException as error:
        result = describe(error, job.get("code"))
    write(descriptor, result)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            pass
    # Threads and exit handlers of the code do not outlive its function.
    os._exit(0)


main()
