"""The compiler commands of real builds, learnt by standing in for the compiler while programs.sh builds.

Reading them off a build's log would have to guess folders and quoting; a stand-in sees both as they are.
"""

import dataclasses
import json
import os
import pathlib
import re

import programs
from harness import BenchError

LOG_VARIABLE = "DEADHEAT_BENCH_COMMANDS"

# Appends {"folder", "words"} as one line to the file that the variable names, then becomes the compiler.
RECORDER = """#!/usr/bin/env python3
import json, os, sys
with open(os.environ.get("VARIABLE", os.devnull), "a") as log:
    log.write(json.dumps({"folder": os.getcwd(), "words": sys.argv[1:]}) + "\\n")
os.execvp("COMPILER", ["COMPILER", *sys.argv[1:]])
"""

SOURCE = re.compile(r"\.(c|cc|cpp|cxx|C)$")
LEVEL = re.compile(r"-(O\w*|g|g\d|ggdb\d?|gdwarf-\d)")
TWO_WORDS = ("-o", "-MF", "-MT", "-MQ")
DROPPED = ("-c", "-MD", "-MMD", "-MP", "-Werror")


@dataclasses.dataclass(frozen=True)
class Command:
    """One compile of one source: where, by which language's compiler, and with which words but for level and output."""

    program: str
    folder: str
    source: str
    words: tuple

    @property
    def is_cpp(self):
        return not self.source.endswith(".c")

    @property
    def name(self):
        return f"{self.program}/{pathlib.Path(self.source).name}"


def parse(program, call):
    """The Command of a recorded call, or None for a link, a probe or a call with several sources."""
    words, sources = [], []
    incoming = iter(call["words"])
    for word in incoming:
        if word in TWO_WORDS:
            next(incoming, None)
        elif SOURCE.search(word) and not word.startswith("-"):
            sources.append(word)
        elif not LEVEL.fullmatch(word) and word not in DROPPED:
            words.append(word)
    probe = "conftest" in " ".join(call["words"]) or "CMakeFiles/CMake" in call["folder"] or "-E" in words
    if len(sources) != 1 or probe or "-c" not in call["words"]:
        return None
    return Command(program, call["folder"], sources[0], tuple(words))


def make_recorder(folder):
    """Two stand-ins, for C and C++, in `folder`; returns the Variant that builds with them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, compiler in (("cc", "clang-19"), ("c++", "clang++-19")):
        (folder / name).write_text(RECORDER.replace("VARIABLE", LOG_VARIABLE).replace("COMPILER", compiler))
        (folder / name).chmod(0o755)
    return programs.Variant("bench-commands", str(folder / "cc"), str(folder / "c++"))


def record(name, kept):
    """Builds a program with the stand-ins, unless that was done before, and returns the record."""
    variant = make_recorder(kept / "bin")
    log, fresh = kept / f"{name}.jsonl", kept / f"{name}.new"
    fresh.unlink(missing_ok=True)
    os.environ[LOG_VARIABLE] = str(fresh)
    try:
        if "already built" not in programs.build(name, variant):
            fresh.replace(log)
    finally:
        del os.environ[LOG_VARIABLE]
        fresh.unlink(missing_ok=True)
    if not log.exists():
        raise BenchError(f"{name} was built, but no command was recorded: remove {kept} and start again")
    return log.read_text()


def of_program(name):
    """Every compile of a program's build whose source is still there, in order, without repeats."""
    kept = programs.kept_builds(programs.Variant("bench-commands", "", ""))
    found = {}
    for line in record(name, kept).splitlines():
        command = parse(name, json.loads(line))
        if command and (pathlib.Path(command.folder) / command.source).exists():
            found.setdefault((command.folder, command.source), command)
    return list(found.values())
