#!/usr/bin/env python3
"""Holds the tree to layers.txt: who may include whom.

Claim   Every `#include "module/..."` below src/ names the file's own module or one that layers.txt grants it; headers
        of LLVM's IR and of clang appear only where granted; runtime and abi include neither LLVM nor the C++ library.
Assumes includes are written from src/ (a path through `..` is refused) and not made by macros.
Misses  what a granted header includes in its turn: the link and include paths of each module see to that.
"""

import argparse
import pathlib
import re
import sys

import tree

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
INCLUDING = frozenset({".h", ".c", ".cpp", ".def", ".inc"})

IR_GRANT = "llvm-ir"
IR_HEADERS = ("llvm/IR/", "llvm/Passes/", "llvm/Analysis/", "llvm/Transforms/", "clang/")
EXCEPTIONS = {"capture": ("clang/Driver/",)}  # it reads command lines with clang's own option table
FREESTANDING = {"abi", "runtime"}


def read_layers(path):
    """{module: what it may include}; raises ValueError on a line that is none."""
    layers = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        module, colon, grants = line.partition(":")
        if not colon or module in layers:
            raise ValueError(f"{path.name}:{number}: expected one 'module: grants' per module")
        layers[module] = set(grants.split())
    for module, grants in layers.items():
        if unknown := grants - layers.keys() - {IR_GRANT}:
            raise ValueError(f"{path.name}: {module} is granted {', '.join(sorted(unknown))}, which has no line")
    return layers


def objection(header, quoted, module, layers, is_test):
    """Why a file of `module` may not include `header`, or None."""
    if ".." in pathlib.PurePath(header).parts:
        return "goes through '..': write it from src/"
    if module in FREESTANDING and not is_test:
        if header.startswith(("llvm/", "clang/")):
            return f"{module} is free of LLVM"
        if not quoted and not header.endswith(".h"):
            return f"{module} is free of the C++ library"
    if header.startswith(IR_HEADERS):
        allowed = IR_GRANT in layers[module] or header.startswith(EXCEPTIONS.get(module, "\0"))
        return None if allowed else f"{module} has no {IR_GRANT} in layers.txt"
    owner, slash, _ = header.partition("/")
    if quoted and slash and owner in layers and owner not in layers[module] | {module}:
        return f"layers.txt does not grant {owner} to {module}"
    return None


def check(root):
    """(problems, number of includes seen)."""
    layers = read_layers(root / "layers.txt")
    problems, seen = [], 0
    for path in tree.sources(root, "src", suffixes=INCLUDING):
        place = path.relative_to(root)
        if len(place.parts) < 3 or place.parts[1] not in layers:
            problems.append(f"{place}: belongs to no module of layers.txt")
            continue
        is_test = path.stem.endswith(("_test", "_fuzz")) or path.stem.startswith("test_")
        text = path.read_text()
        for match in INCLUDE.finditer(text):
            seen += 1
            why = objection(match[1] or match[2], bool(match[1]), place.parts[1], layers, is_test)
            if why:
                line = text.count("\n", 0, match.start(0)) + 1
                problems.append(f"{place}:{line}: {match[1] or match[2]}: {why}")
    return problems, seen


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=tree.ROOT)
    try:
        problems, seen = check(parser.parse_args().root)
    except ValueError as error:
        problems, seen = [str(error)], 0
    return tree.report("layers", problems, f"{seen} includes, {len(problems)} against layers.txt")


if __name__ == "__main__":
    sys.exit(main())
