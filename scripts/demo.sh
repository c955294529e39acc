#!/bin/bash
# What Deadheat does, on the example program: scripts/demo.sh [BUILD]. Fails if a step does, or if it does not show what it says.
#
# Schedules are drawn from fixed seeds and candidates come from the program's text, so what is demanded here does not depend on how
# threads happen to run; what a free run sees does, and is only shown.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=$(cd "${1:-build}" && pwd)
out=$build/demo
export PATH=$build/bin:$PATH

say() { printf '\n%s\n\n' "$*" | fold -s -w 100; }

# Runs a command as one would type it; 1 is the status of findings. Its words go to $out/text.
run() {
  printf '  $ %s\n' "$*"
  local status=0
  "$@" >"$out/text" 2>&1 || status=$?
  if [ "$status" -gt 1 ]; then
    cat "$out/text"
    exit "$status"
  fi
}

show() {
  run "$@"
  sed 's/^/    /' "$out/text"
}

# Of the last command's text, the lines with a pattern; none is an error.
pick() { grep -E "$1" "$out/text" | sed 's/^/    /'; }

# The increment of `served`, on line 10 of statistics.cpp, beside the display's glance at it; and its id in the last command's text.
increment='^statistics\.cpp:10.*served: write in .*record.*, read in .*glance'
id() { grep -E "$increment" "$out/text" | grep -oE 'R-[0-9a-f]+'; }

rm -rf "$out"
mkdir -p "$out"
cp -r examples/ticketing "$out/ticketing"
cd "$out/ticketing"

say "1. examples/ticketing is a small box office in C++: a worker pool, a price cache, statistics, a display. It has" \
  "four bugs that hardly ever show. We build it as its authors do, with one change: the compiler's name."
show make -s CXX=deadheat-c++

say "2. It is an ordinary program. On its own it behaves as ever: the instrumentation is inert."
show out/ticketing

say "3. Without running it: the models that the program carries are linked into one, and every two accesses that threads" \
  "may do at the same time without a common lock are possible races. The first bug is among them, a counter that is" \
  "incremented before the lock is taken:"
run deadheat check -v out/ticketing
pick "$increment"
pick '^deadheat: [0-9]+ findings'
possible=$(id)

say "4. One run, every access watched: what happened without order is observed. The same finding has the same id."
run deadheat run --full -- out/ticketing
pick "$increment" || true
pick '^deadheat: .*observed' || true

say "5. Now the proof: runs under schedules that hold one thread before its access until another stands before the" \
  "other one."
run deadheat confirm --runs 20 --finding "$possible" -- out/ticketing
pick "$increment.*\[(confirmed|harmful)"
pick 'evidence: (confirmed|harmful)'

say "6. The schedule is a text file of the decisions that were out of the usual (here, its first lines), and can be run again," \
  "also under gdb."
show head -12 ".deadheat/schedules/$possible.schedule"
show deadheat replay "$possible"
grep -q 'happened again' "$out/text"

say "7. All of it in one go, for as long as you like; here, 15 seconds."
run deadheat hunt --runs 10 --time 15 -- out/ticketing
pick '^deadheat: of [0-9]+ candidates'
pick '\[(predicted|observed|confirmed|harmful), ' || true

say "All findings with their evidence, as a page for a browser:"
run deadheat report --html "$out/findings.html"
