#include "capture/unit_command.h"

#include "clang/Driver/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "capture/arguments.h"
#include "capture/plan.h"

namespace deadheat::capture {

namespace options = clang::driver::options;
using llvm::StringRef;
using Words = std::vector<std::string>;

namespace {

// What a build wants of the compiler and we do not: outputs, and code that only counts.
constexpr unsigned kDropped[] = {
    options::OPT_o,
    options::OPT_c,
    options::OPT_S,
    options::OPT_E,
    options::OPT_fsyntax_only,
    options::OPT_emit_llvm,
    options::OPT_M_Group,
    options::OPT_MJ,
    options::OPT_save_temps,
    options::OPT_save_temps_EQ,
    options::OPT__serialize_diags,
    options::OPT_fsave_optimization_record,
    options::OPT_fsave_optimization_record_EQ,
    options::OPT_ftime_trace,
    options::OPT_ftime_trace_EQ,
    options::OPT_coverage,
    options::OPT_fprofile_arcs,
    options::OPT_ftest_coverage,
    options::OPT_fprofile_generate,
    options::OPT_fprofile_generate_EQ,
    options::OPT_fprofile_instr_generate,
    options::OPT_fprofile_instr_generate_EQ,
    options::OPT_fcoverage_mapping,
    options::OPT_INPUT, // the file is put at the end
    options::OPT__DASH_DASH,
};

bool isDropped(const llvm::opt::Arg &argument) {
  if (argument.getOption().matches(options::OPT_Wp_COMMA)) // -Wp,-MMD,file
    return StringRef(argument.getValue()).starts_with("-M");
  return llvm::any_of(kDropped, [&](unsigned option) { return argument.getOption().matches(option); });
}

bool isBitcode(StringRef file) {
  StringRef extension = llvm::sys::path::extension(file);
  return extension == ".bc" || extension == ".ll";
}

// gcc-12, clang++-19, x86_64-linux-gnu-g++: without the version.
StringRef familyOf(StringRef compiler) { return llvm::sys::path::filename(compiler).rtrim("0123456789.").rtrim('-'); }

bool isCxx(const UnitCommand &unit) {
  if (!unit.compiler.empty()) return familyOf(unit.compiler).ends_with("++");
  return llvm::StringSwitch<bool>(llvm::sys::path::extension(unit.file))
      .Cases(".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".ii", ".mm", true)
      .Default(false);
}

// aarch64-linux-gnu of aarch64-linux-gnu-gcc; a name with fewer parts is a name.
std::string targetOf(StringRef compiler) {
  auto [target, tool] = familyOf(compiler).rsplit('-');
  return target.count('-') >= 1 && !tool.empty() ? "--target=" + target.str() : "";
}

std::string resolved(StringRef directory, StringRef file) {
  llvm::SmallString<256> path(file);
  llvm::sys::fs::make_absolute(directory, path);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

// The model names the unit as the compiler was given it.
std::string spellingOf(const UnitCommand &unit, const CommandLine &line) {
  std::string wanted = resolved(unit.directory, unit.file);
  for (const Input &input : line.inputs)
    if (resolved(unit.directory, input.name) == wanted) return input.name;
  return unit.file;
}

Words keptArguments(const Words &arguments) {
  Words kept;
  visitArguments(parseArguments(arguments), arguments, [&](const llvm::opt::Arg &argument, const Words &words) {
    if (!isDropped(argument)) llvm::append_range(kept, words);
  });
  return kept;
}

} // namespace

bool isSource(const std::string &file) {
  if (isBitcode(file)) return true;
  return llvm::any_of(parse({"-c", file}).inputs, [](const Input &input) { return input.kind == InputKind::Source; });
}

std::vector<std::string> extractCommand(const UnitCommand &unit, const Compilers &compilers) {
  CommandLine line = parse(unit.arguments);
  Words command = isCxx(unit) ? compilers.clangCxx : compilers.clang;
  if (std::string target = targetOf(unit.compiler); !target.empty()) command.push_back(target);
  llvm::append_range(command, Words{"-w", "-fno-crash-diagnostics", "-fpass-plugin=" + compilers.plugin});
  if (isBitcode(unit.file)) command.push_back("-O1"); // cleaned up as a source is; the unit's own flags come after
  llvm::append_range(command, debugFlags(line.debug));
  llvm::append_range(command, keptArguments(line.arguments));
  llvm::append_range(command, Words{"-c", "-emit-llvm", spellingOf(unit, line)});
  return command;
}

} // namespace deadheat::capture
