# await COMMAND...: until it succeeds. What waits in vain for a minute fails, so that no session hangs.
await() {
  for attempt in $(seq 6000); do
    "$@" && return
    sleep 0.01
  done
  echo "waited in vain: $*" >&2
  exit 1
}
