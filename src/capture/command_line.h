// What a compiler command line asks for, read with clang's own table of options.
//
// Claim   parse() and clang's driver agree on what every argument is: the table is clang's. Which step is the last one,
//         and what kind of file each input is, follows the driver's rules for the languages we care about.
// Cost    well under a millisecond; no file is opened except by expandResponseFiles.
// Misses  flags from clang's configuration files and from CCC_OVERRIDE_OPTIONS.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace deadheat::capture {

// The last step of the command, earliest first: of several flags clang obeys the one that stops it earliest.
enum class Goal { Answer, Preprocess, Check, Precompile, Assembly, Object, Program };

enum class InputKind { Source, Header, Other };

enum class DebugLevel { None, Lines, Full };

struct Input {
  std::string name;
  InputKind kind;
};

// Facts that a single flag establishes; a later flag may take one back (-fno-lto).
struct Facts {
  bool freestanding = false;   // no process for a runtime to attach to: kernels, firmware
  bool otherSanitizer = false; // -fsanitize=thread, kernel-*: one instrumentation of accesses is enough
  bool narrow = false;         // -m16, -m32, -mx32: slots and hooks are 64 bits wide
  bool linkTimeOptimisation = false;
  bool staticProgram = false;
  bool sharedLibrary = false;
  bool coloursChosen = false;
  bool widthChosen = false;
};

struct CommandLine {
  Goal goal = Goal::Program;
  std::vector<Input> inputs;
  std::string output;
  DebugLevel debug = DebugLevel::None;
  Facts facts;
  std::vector<std::string> foreign;   // flags of GCC that clang does not know or warns about
  std::vector<std::string> arguments; // what remains without them

  bool generatesCode() const;
  bool readsStandardInput() const;
};

CommandLine parse(const std::vector<std::string> &arguments);

// Every @file replaced by the words in it, by clang's rules; one that cannot be read stays as it is. Names are relative to
// `directory`, or to the current one.
std::vector<std::string> expandResponseFiles(const std::vector<std::string> &arguments,
                                             const std::string &directory = {});

} // namespace deadheat::capture
