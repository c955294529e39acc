#!/bin/sh
# refused.sh COMMAND...: the command must exit with 2, print nothing on stdout and one line on stderr, which is passed on.
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
output=$("$@" 2>"$errors")
status=$?
cat "$errors"
test $status -eq 2 && test -z "$output" && test "$(wc -l <"$errors")" -eq 1 && exit 0
echo "refused.sh: exit status $status, output: $output"
exit 1
