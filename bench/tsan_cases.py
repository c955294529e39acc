"""Reads what a test of ThreadSanitizer runs and expects, and says which ones say nothing about Deadheat, and why."""

import dataclasses
import enum
import fnmatch
import re


class Expect(enum.Enum):
    RACE = "a race"
    SILENCE = "silence"
    INVERSION = "a lock-order inversion"


@dataclasses.dataclass
class Case:
    name: str  # the test, and which of its lines if it has several
    expect: Expect
    excluded: str = ""  # why it does not run
    apart: str = ""  # why it is counted apart


@dataclasses.dataclass
class Step:
    line: str  # without FileCheck and the tools around it
    case: Case | None = None
    suppressions: str = ""


@dataclasses.dataclass
class Test:
    name: str
    steps: list


# By the kind of warning that the test demands. Those that it demands besides a race do not matter.
WARNING = re.compile(r"ThreadSanitizer: ?(.*)")
RACES = ("data race", "heap-use-after-free", "race on")
INVERSION = "lock-order-inversion"
OTHER_KINDS = {
    "thread leak": "thread leak: not a race",
    "signal-unsafe": "signal-unsafe call: not a race",
    "signal handler spoils": "signal handler spoils errno: not a race",
    "destroy of a locked": "misuse of a mutex: not a race",
    "double lock": "misuse of a mutex: not a race",
    "unlock of an unlocked": "misuse of a mutex: not a race",
    "read lock of a write": "misuse of a mutex: not a race",
    "read unlock of a write": "misuse of a mutex: not a race",
    "use of an invalid mutex": "misuse of a mutex: not a race",
    "mutex held in the wrong": "misuse of a mutex: not a race",
}

# By name: TSan calls them races, and no model of memory does. They run, and are counted apart.
DESCRIPTOR = "a race on a descriptor, not on memory"
ORDERED_USE = "a use after free, ordered after it"
APART = {
    "fd_close_race.cpp": DESCRIPTOR,
    "fd_dup_race.cpp": DESCRIPTOR,
    "fd_location.cpp": DESCRIPTOR,
    "fd_location_closed.cpp": DESCRIPTOR,
    "fd_pipe_race.cpp": DESCRIPTOR,
    "fd_tid_recycled.cpp": DESCRIPTOR,
    "free_race.c": ORDERED_USE,
    "free_race2.c": ORDERED_USE,
}

# By name.
EXCLUDED = {
    "java_*": "TSan's interface for virtual machines of Java",
    "fiber_*": "TSan's interface for fibers",
    "bench_*": "a benchmark",
    "debug*": "TSan's interface for debuggers",
    "on_initialize_finalize_hooks*": "TSan's own hooks of a program",
    "default_options*": "TSan's own hooks of a program",
    "interface_atomic_test*": "TSan's hooks of compiled code, called by hand",
    "mmap_stress*": "TSan's mapping of memory",
    "Linux/check_*": "TSan's own object code",
    "race_range_pc*": "TSan's hooks of compiled code, called by hand",
    "unaligned_norace*": "TSan's hooks of compiled code, called by hand",
    "unaligned_race*": "TSan's hooks of compiled code, called by hand",
    "atomic_hle*": "TSan's hooks of compiled code, called by hand",
    "Linux/user_*": "TSan's interceptors, called by name",
    "Linux/*syscall*": "TSan's hooks of system calls, called by hand",
    "Linux/signal_in_futex_wait*": "TSan's hooks of system calls, called by hand",
    "restore_stack*": "TSan's hooks of compiled code, called by hand",
    "force_background_thread*": "a message of TSan about itself",
    "thread_end_with_ignore*": "a message of TSan about itself",
    "ignore_lib2*": "a message of TSan about itself",
    "ignore_lib3*": "a message of TSan about itself",
    "ignorelist*": "an option of TSan's compiler pass",
}

# By what a line asks of TSan.
ASKED = (
    (r"-fno-sanitize-thread-|-mllvm", "an option of TSan's compiler pass"),
    (r"tsan_opts=\S*(ignore_noninstrumented_modules=1|report_atomic_races=0|detect_deadlocks=0|die_after_fork=0)",
     "a run-time flag of TSan that changes what it reports"),
    (r"(?s)REQUIRES:[^\n]*(darwin|disabled|sunrpc)", "another system, or switched off by its authors"),
    (r"XFAIL: \*", "TSan fails it, too"),
)


def read_test(name, text):
    """The steps of a test: its RUN lines in order, those that run a program with what their CHECK lines expect."""
    lines = [line.strip() for line in run_lines(text)]
    runs = sum("%run" in line for line in lines)
    steps, number = [], 0
    for line in lines:
        number += "%run" in line
        label = f"{name} #{number}" if runs > 1 else name
        steps.append(read_step(name, label, line, text))
    return Test(name, steps)


def run_lines(text):
    joined = []
    for part in re.findall(r"RUN:(.*)", text):
        if joined and joined[-1].endswith("\\"):
            joined[-1] = joined[-1][:-1] + part
        else:
            joined.append(part.rstrip())
    return joined


def read_step(name, label, line, text):
    command = re.sub(r"\s*(2>&1\s*)?\|\s*FileCheck.*", "", line)
    command = re.sub(r"(%deflake|\bnot) ", "", re.sub(r"\b[a-z]*env (?=%env)", "", command))
    if "%run" not in line:
        return Step("" if "FileCheck" in line or "objdump" in line else command)
    suppressions = re.search(r"suppressions='?([^':\s]+)", line)
    warnings = demanded(text, prefixes(line))
    # TSan's exit status tells of a report: some tests expect it so, and have the text checked for something else.
    fails = re.search(r"%deflake|\bnot ", line) is not None
    case = Case(label, expectation(warnings, fails), reason(name, line, text, warnings), APART.get(name, ""))
    return Step(command, case, suppressions[1] if suppressions else "")


def prefixes(line):
    found = re.findall(r"-check-prefix(?:es)?[= ](\S+)", line)
    return [name for part in found for name in part.replace("%os", "Linux").split(",")] or ["CHECK"]


def demanded(text, names):
    """The warnings that lines of these prefixes want to see."""
    pattern = re.compile(r"\b(?:%s)(?:-NEXT|-DAG|-SAME)?:(.*)" % "|".join(map(re.escape, names)))
    found = (WARNING.search(part) for part in pattern.findall(text))
    return [warning[1] for warning in found if warning]


def expectation(warnings, fails):
    if any(race in warning for warning in warnings for race in RACES):
        return Expect.RACE
    if any(INVERSION in warning for warning in warnings):
        return Expect.INVERSION
    return Expect.RACE if fails else Expect.SILENCE


def reason(name, line, text, warnings):
    for pattern, why in EXCLUDED.items():
        if fnmatch.fnmatch(name, pattern):
            return why
    header = "\n".join(part for part in text.splitlines() if "RUN:" not in part)
    for pattern, why in ASKED:
        if re.search(pattern, line) or re.search(pattern, header):
            return why
    if not any(race in warning for warning in warnings for race in RACES):
        for kind, why in OTHER_KINDS.items():
            if any(kind in warning for warning in warnings):
                return why
    return ""
