#!/bin/bash
# Installs what Deadheat is built from and tested with: Debian 12 packages, by name. Does nothing, quickly, when all of
# them are there.
set -euo pipefail

packages=(
  # compilers and LLVM
  clang-19 llvm-19-dev llvm-19-tools lld-19 libclang-19-dev libclang-rt-19-dev clang-format-19 gcc g++
  # libraries
  libflatbuffers-dev flatbuffers-compiler libcli11-dev libtomlplusplus-dev libtbb-dev libzstd-dev libsqlite3-dev
  libxxhash-dev libjemalloc-dev zlib1g-dev
  # building and testing
  cmake ninja-build make ccache python3 python3-psutil libgtest-dev libgmock-dev libbenchmark-dev
  # build systems that the command line tests drive
  meson autoconf automake libtool
)

installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null |
  sed -n 's/ installed$//p' | sort -u || true)
missing=()
for package in "${packages[@]}"; do
  grep -qx -- "$package" <<<"$installed" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || {
    echo "scripts/setup.sh: missing packages, and neither root nor sudo to install them: ${missing[*]}" >&2
    exit 2
  }
  as_root=(sudo)
fi

install_missing() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
}

# Package lists may be absent or name versions that the mirror has dropped, so they are renewed before the install; a
# machine whose other, unrelated sources cannot be reached may still have all it needs.
echo "Installing: ${missing[*]}"
"${as_root[@]}" apt-get update -q || echo "scripts/setup.sh: apt-get update had errors, trying all the same" >&2
install_missing
