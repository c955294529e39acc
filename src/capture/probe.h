// Is this command a build system asking what the compiler can do, rather than building something?
//
// Claim   A probe is answered by clang to the letter, so that a configure script comes to the conclusions it would come
//         to with clang. What is no probe produces files that somebody keeps.
// Assumes the habits of autoconf and libtool (conftest), CMake (CMakeScratch, CMakeTmp, CompilerId*, cmTC_), Meson
//         (meson-private), waf, SCons, FFmpeg's configure and kbuild (.tmp_<pid>, /dev/null). Who pipes a source in and
//         the result out, or into a file of mktemp, wants to look at it: kbuild greps the assembler text.
// Misses  hand-written scripts with names of their own: they are built with the plugin, which costs them time only.
#pragma once

#include <string>

#include "capture/command_line.h"

namespace deadheat::capture {

bool isProbe(const CommandLine &commandLine, const std::string &workingDirectory);

} // namespace deadheat::capture
