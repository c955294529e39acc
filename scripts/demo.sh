#!/bin/bash
# What Deadheat does today, on the example program: scripts/demo.sh [BUILD]. Fails if any step does.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=${1:-build}
tools=$(cd "$build" && pwd)/bin
out=$build/demo
program=$out/ticketing
export PATH=$tools:$PATH

say() { printf '\n%s\n\n' "$*" | fold -s -w 100; }

# show COMMAND...: prints a command as one would type it, then runs it.
show() {
  printf '  $ %s\n' "$*"
  "$@" | sed 's/^/    /'
}

# paragraph WORDS: of a text in paragraphs, those with WORDS in them; none is an error.
paragraph() {
  awk -v words="$1" 'BEGIN { RS = ""; ORS = "\n\n" } index($0, words) { print; found = 1 } END { exit !found }'
}

rm -rf "$out"
mkdir -p "$out"

say "1. examples/ticketing is a small box office in C++: a worker pool, a price cache, statistics, a display. It has" \
  "four bugs that hardly ever show. We build it as its authors do, with one change: the compiler's name."
show make -s -C examples/ticketing CXX=deadheat-c++ OUT="$(realpath "$out")"
ls -1sh "$program" | sed 's/^/    /'

say "2. It is an ordinary program. On its own it behaves as ever: the instrumentation is inert."
show "$program"

say "3. It carries a model of itself: every access to memory that its source makes, numbered, with its place and the" \
  "path by which the source names it. (Late accesses are what the optimiser left of them.)"
show deadheat model dump --summary "$program"

say "   Statistics::record, for one. The counter 'served' is touched on line 10, before the lock is taken: that is" \
  "one of the four bugs."
printf '  $ %s\n' "deadheat model dump --sites $program"
deadheat model dump --sites "$program" | paragraph 'function ticketing::Statistics::record' | sed 's/^/    /'

say "4. Run under Deadheat, the same program finds the runtime attached, and its accesses are counted site by site."
printf '  $ %s\n' "deadheat run -- $program"
status=0
deadheat run -- "$program" 2>&1 | sed 's/^/    /' || status=${PIPESTATUS[0]}
[ "$status" -le 1 ] || exit "$status" # 1: there were findings

say "That is all it does so far. Next: see README.md, or build a program of your own with" \
  "CC=deadheat-cc CXX=deadheat-c++."
