#!/usr/bin/env python3
"""Compares the functions of programs with their linked models, and says what linking took and left open.

    bench/coverage.py [--tools BIN] [--open N] PROGRAM...

A function of the program is one that debug info places, in a compile unit that has a model; it must be in the model under the name
that the symbol table has for its address. Prints a table, then what is missing. Exit status 1 if anything is.

Misses  compile units without debug info; `units` counts those with a model, `without` the other compile units (assembly, libraries).
"""

import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
UNIT = re.compile(r"^unit (.+)\n  built by .* -O\S+ in (.+)$", re.MULTILINE)
FUNCTION = re.compile(r"^  function  (?:internal|external|weak) +(.*)$", re.MULTILINE)
DIE = re.compile(r"^0x[0-9a-f]+: +(DW_TAG_\w+)")
ATTRIBUTE = re.compile(r"^ +DW_AT_(name|comp_dir|low_pc)\t\((.*)\)$")
LINKED = re.compile(r"^deadheat: \d+ units?;.* linking ([\d.]+) s; at most (\d+) MiB", re.MULTILINE)
OPEN = re.compile(r"^  (\S+?):\d+ a call through a pointer.*: (.*)$", re.MULTILINE)
CLONE = re.compile(r"( \()?\.(specialized|llvm|cold|part)\b.*")  # the optimiser's own versions of a function
TOLD = re.compile(r"\.told\b")
COLUMNS = ("program", "units", "without", "functions", "missing", "open calls", "link s", "MiB")


def output_of(*command):
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout


def tool(name):
    found = shutil.which(f"{name}-19") or shutil.which(name)
    if not found:
        raise OSError(f"{name} is missing: apt-get install llvm-19")
    return found


def dies(lines):
    """(tag, attributes) of each entry, as far as it is asked for."""
    tag, attributes = None, {}
    for line in lines:
        if entry := DIE.match(line):
            if tag:
                yield tag, attributes
            tag, attributes = entry[1], {}
        elif tag and (attribute := ATTRIBUTE.match(line)):
            attributes[attribute[1]] = attribute[2].strip('"')
    if tag:
        yield tag, attributes


def functions_by_unit(lines):
    """{unit: {address}} of the text of llvm-dwarfdump."""
    found, unit = collections.defaultdict(set), None
    for tag, attributes in dies(lines):
        if tag == "DW_TAG_compile_unit":
            unit = os.path.normpath(os.path.join(attributes.get("comp_dir", ""), attributes.get("name", "")))
            found[unit]
        # An address of 0 is a copy that the linker dropped.
        elif tag == "DW_TAG_subprogram" and int(attributes.get("low_pc", "0"), 16) != 0:
            found[unit].add(int(attributes["low_pc"], 16))
    return found


def names_by_address(text):
    """{address: {name}} of the text of llvm-nm."""
    found = collections.defaultdict(set)
    for line in text.splitlines():
        address, kind, name = line.split(" ", 2)
        if kind in "tTwWV":
            found[int(address, 16)].add(name)
    return found


def model_of(text):
    """({unit}, {function}) of the text of `model dump --symbols`."""
    units = {os.path.normpath(os.path.join(folder, source)) for source, folder in UNIT.findall(text)}
    return units, {squeezed(row) for row in FUNCTION.findall(text)}


def squeezed(row):
    """The name in a row of the dump: its columns are two or more spaces apart, names have single ones."""
    return re.split(r"  +", row.strip())[0]


def compare(in_units, names, units, functions):
    """(functions of units with a model, names of those that no model has, units without a model)."""
    count, missing = 0, []
    for unit, addresses in in_units.items():
        if unit not in units:
            continue
        for address in addresses:
            known = names.get(address, set())
            if known and all(TOLD.search(name) for name in known):
                continue  # a copy, which tells of its accesses
            count += 1
            if not {CLONE.sub("", name) for name in known} & functions:
                missing.append(f"{unit}: {', '.join(sorted(known)) or hex(address)}")
    return count, sorted(missing), sorted(set(in_units) - units)


def linked(tools, program):
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([tools / "deadheat", "check", "--link-only", "-v", "--db", folder, "--json", f"{folder}/o.json", program],
                             check=True, text=True, capture_output=True)
        gaps = json.loads(pathlib.Path(folder, "o.json").read_text())["program"]["gaps"]
    seconds, mebibytes = LINKED.search(run.stderr).groups()
    count = next((gap["count"] for gap in gaps if gap["kind"] == "open-call-target"), 0)
    places = collections.Counter(f"{pathlib.Path(file).name}: {function}" for file, function in OPEN.findall(run.stderr))
    return count, float(seconds), int(mebibytes), places


def measure(tools, program):
    """(row of the table, missing functions, units without a model, open calls by function)"""
    dump = subprocess.Popen([tool("llvm-dwarfdump"), "--debug-info", program], stdout=subprocess.PIPE, text=True)
    in_units = functions_by_unit(dump.stdout)
    names = names_by_address(output_of(tool("llvm-nm"), "-C", "--defined-only", program))
    units, functions = model_of(output_of(tools / "deadheat", "model", "dump", "--symbols", program))
    count, missing, without = compare(in_units, names, units, functions)
    opened, seconds, mebibytes, places = linked(tools, program)
    row = (program.name, len(units), len(without), count, len(missing), opened, seconds, mebibytes)
    return row, missing, without, places


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path, nargs="+")
    parser.add_argument("--tools", type=pathlib.Path, default=ROOT / "build/bin", help="folder of deadheat")
    parser.add_argument("--open", type=int, default=0, help="show so many functions with open calls of each program")
    options = parser.parse_args()
    print("| " + " | ".join(COLUMNS) + " |\n|" + "---|" * len(COLUMNS))
    failed = False
    details = []
    for program in options.program:
        try:
            row, missing, without, places = measure(options.tools.resolve(), program)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"coverage.py: {program}: {error}", file=sys.stderr)
            return 2
        print("| " + " | ".join(map(str, row)) + " |", flush=True)
        failed |= bool(missing)
        details += [f"{program.name}: not in the model: {name}" for name in missing]
        details += [f"{program.name}: compile unit without a model: {name}" for name in without]
        details += [f"{program.name}: {count} open in {place}" for place, count in places.most_common(options.open)]
    print("\n".join(details))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
