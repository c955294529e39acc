"""Drives the real programs: `programs.sh build|run NAME VARIANT` of the folder of programs beside the checkout.

The folder is ../shared/programs as seen from the checkout, or what DEADHEAT_PROGRAMS says.
"""

import dataclasses
import hashlib
import os
import pathlib
import re
import shutil
import subprocess

from harness import BenchError, Sample

ROOT = pathlib.Path(__file__).resolve().parent.parent

# A run prints: memcached dh seconds=3.301 status=ok cpu=4.518 rss_mb=39.2 check=800000-requests
FIELD = re.compile(r"(\w+)=(\S*)")


@dataclasses.dataclass(frozen=True)
class Variant:
    """A way to build and run: compilers, flags, and a command to put in front of the program."""

    name: str
    cc: str
    cxx: str
    flags: str = "-O2 -g"
    wrap: tuple = ()
    parts: tuple = ()  # files that the compiler is made of: when they change, what it built is stale

    def environment(self, scale=1.0):
        return os.environ | {"CC": self.cc, "CXX": self.cxx, "CFLAGS": self.flags, "CXXFLAGS": self.flags,
                             "PROGRAMS_SCALE": str(scale)}


def script():
    folder = pathlib.Path(os.environ.get("DEADHEAT_PROGRAMS", ROOT.parent / "shared" / "programs"))
    path = folder / "programs.sh"
    if not path.exists():
        raise BenchError(f"no programs.sh in {folder}: set DEADHEAT_PROGRAMS to the folder that has it")
    return path


def call(arguments, variant, scale=1.0):
    """The standard output of programs.sh."""
    command = [str(script()), *arguments]
    result = subprocess.run(command, env=variant.environment(scale), capture_output=True, text=True, errors="replace")
    if result.returncode:
        raise BenchError(f"programs.sh {' '.join(arguments)}: {(result.stderr or result.stdout).strip()[-500:]}")
    return result.stdout


def kept_builds(variant):
    cache = os.environ.get("PROGRAMS_CACHE", pathlib.Path.home() / ".cache" / "deadheat-programs")
    return pathlib.Path(cache) / "build" / variant.name


def forget_stale(variant):
    """Removes kept builds of a compiler that has changed inside: programs.sh knows it by name and version only."""
    digest = hashlib.sha256()
    for part in variant.parts:
        digest.update(pathlib.Path(part).read_bytes())
    kept = kept_builds(variant)
    stamp = kept / "compiler.sha256"
    if stamp.exists() and stamp.read_text() == digest.hexdigest():
        return
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    stamp.write_text(digest.hexdigest())


def build(name, variant):
    return call(["build", name, variant.name], variant).strip()


def parse_run(line):
    """The Sample of the line that a run prints; raises BenchError on a run that failed."""
    fields = dict(FIELD.findall(line))
    try:
        if fields["status"] != "ok":
            raise BenchError(f"the run failed: {line.strip()}")
        return Sample(float(fields["seconds"]), float(fields["cpu"]), fields.get("check"))
    except (KeyError, ValueError):
        raise BenchError(f"not the result of a run: '{line.strip()}'") from None


def runner(name, variant, scale=1.0):
    return lambda: parse_run(call(["run", name, variant.name, *variant.wrap], variant, scale))
