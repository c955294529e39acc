"""What the checks of the tree share: where the tree is, which files are ours, and C++ text without its comments."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent

CPP_SUFFIXES = {".h", ".c", ".cpp"}

_NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<raw>[^(\s]*)\(.*?\)(?P=raw)"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Za-z])\'(?:\\.|[^\'\\\n])+\'',
    re.DOTALL,
)


def sources(root, *folders, suffixes=frozenset(CPP_SUFFIXES)):
    """The files below `folders` with one of `suffixes`, sorted."""
    found = (path for folder in folders for path in (root / folder).rglob("*"))
    return sorted(path for path in found if path.suffix in suffixes and path.is_file())


def blank_out(text):
    """C++ text whose comments and literals are spaces: same lines, same columns."""
    return _NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def report(name, problems, summary):
    """Prints problems and a summary; the exit status of a check."""
    for problem in problems:
        print(f"{name}: {problem}")
    print(f"{name}: {summary}")
    return 1 if problems else 0
