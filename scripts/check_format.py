#!/usr/bin/env python3
"""Holds C and C++ sources to .clang-format; `--fix` rewrites them.

Inputs of lit and annotated programs are left alone: their comments are read by machines, and must not be reflowed.
"""

import argparse
import pathlib
import subprocess
import sys

import tree

FORMATTER = "clang-format-19"
FOLDERS = ("src", "include", "examples", "bench")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=tree.ROOT)
    parser.add_argument("--fix", action="store_true", help="rewrite the files instead of complaining")
    options = parser.parse_args()
    files = tree.sources(options.root, *FOLDERS)
    mode = ["-i"] if options.fix else ["--dry-run", "-Werror"]
    style = f"--style=file:{tree.ROOT / '.clang-format'}"
    result = subprocess.run([FORMATTER, style, *mode, *files], check=False) if files else None
    failed = bool(result and result.returncode)
    return tree.report("format", ["run `make format`"] if failed else [], f"{len(files)} files")


if __name__ == "__main__":
    sys.exit(main())
