#!/usr/bin/env python3
"""Holds files and functions to their size: 600 lines for a file, 60 for a function.

Claim   A C or C++ function body that stands at namespace or class scope is measured from the line of its opening brace
        to that of its closing one; lambdas count with the function that holds them.
Assumes braces balance once comments, literals and preprocessor lines are gone.
Misses  functions made by macros; a file in which #if and #else both open a brace is measured as far as it goes.
"""

import argparse
import pathlib
import re
import statistics
import sys

import tree

FILE_LIMIT = 600
FUNCTION_LIMIT = 60
FOLDERS = ("src", "include", "examples", "scripts", "bench", "test/tools", "test/programs", "cmake")
SUFFIXES = frozenset(tree.CPP_SUFFIXES | {".def", ".py", ".sh", ".cmake"})

SCOPE = re.compile(r"(?:template\s*<.*>\s*)?(?:namespace|class|struct|union|enum)\b", re.DOTALL)
INITIALISER = re.compile(r"\)[^{}]*(?<!:):(?!:)(?:.*[\s,>)}])?[\w:<>]+\s*$", re.DOTALL)  # Foo() : member_{
ATTRIBUTE = re.compile(r"\b(?:__attribute__|alignas)\s*\((?:[^()]|\([^()]*\))*\)|\[\[.*?\]\]", re.DOTALL)
PREPROCESSOR = re.compile(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", re.MULTILINE)


def opens_function(head):
    """Whether a brace that follows `head`, at namespace or class scope, opens a function body."""
    head = re.sub(r"^(?:public|protected|private)\s*:(?!:)", "", ATTRIBUTE.sub(" ", head).strip()).strip()
    if "(" not in head or head.endswith(("=", ",", "(")):
        return False
    return head.endswith(")") or not SCOPE.match(head)  # `struct s *f(int x)` ends as no class head does


def functions(text):
    """[(line, length)] of the function bodies in C++ text."""
    text = PREPROCESSOR.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), tree.blank_out(text))
    found, stack, head_start = [], [], 0
    for brace in re.finditer(r"[{};]", text):
        position = brace.start()
        head, after = text[head_start:position], position + 1
        if brace[0] == "{":
            inside = any(is_function for is_function, _, _ in stack)
            in_head = not inside and INITIALISER.search(head)  # the body is still to come, and needs its head
            is_function = not inside and not in_head and opens_function(head)
            stack.append((is_function, position, head_start if in_head else None))
        elif brace[0] == "}" and stack:
            is_function, start, outer_head = stack.pop()
            if is_function:
                found.append((text.count("\n", 0, start) + 1, text.count("\n", start, position) + 1))
            after = after if outer_head is None else outer_head
        head_start = after
    return found


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0


def summary(what, lengths):
    median = int(statistics.median(lengths)) if lengths else 0
    return f"{len(lengths)} {what}, median {median}, p90 {percentile(lengths, 0.9)}, largest {max(lengths, default=0)}"


def check(root):
    """(problems, summary line)."""
    problems, files, bodies = [], [], []
    for path in tree.sources(root, *FOLDERS, suffixes=SUFFIXES):
        place, text = path.relative_to(root), path.read_text()
        files.append(len(text.splitlines()))
        if files[-1] > FILE_LIMIT:
            problems.append(f"{place}: {files[-1]} lines, the limit is {FILE_LIMIT}")
        for line, length in functions(text) if path.suffix in tree.CPP_SUFFIXES else ():
            bodies.append(length)
            if length > FUNCTION_LIMIT:
                problems.append(f"{place}:{line}: a function of {length} lines, the limit is {FUNCTION_LIMIT}")
    return problems, f"{summary('files', files)}; {summary('functions', bodies)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=tree.ROOT)
    return tree.report("size-budget", *check(parser.parse_args().root))


if __name__ == "__main__":
    sys.exit(main())
