#include "capture/command_line.h"

#include <algorithm>
#include <initializer_list>

#include "capture/arguments.h"
#include "clang/Driver/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Path.h"

namespace deadheat::capture {

namespace options = clang::driver::options;
using llvm::StringRef;
using llvm::opt::Arg;
using llvm::opt::InputArgList;

namespace {

struct GoalRow {
  unsigned option;
  Goal goal;
};

constexpr GoalRow kGoals[] = {
    {options::OPT__HASH_HASH_HASH, Goal::Answer},
    {options::OPT_help, Goal::Answer},
    {options::OPT__help_hidden, Goal::Answer},
    {options::OPT__version, Goal::Answer},
    {options::OPT_dumpmachine, Goal::Answer},
    {options::OPT_dumpspecs, Goal::Answer},
    {options::OPT_dumpversion, Goal::Answer},
    {options::OPT_autocomplete, Goal::Answer},
    {options::OPT_fdriver_only, Goal::Answer},
    {options::OPT_ccc_print_phases, Goal::Answer},
    {options::OPT_ccc_print_bindings, Goal::Answer},
    {options::OPT_print_diagnostic_options, Goal::Answer},
    {options::OPT_print_effective_triple, Goal::Answer},
    {options::OPT_print_enabled_extensions, Goal::Answer},
    {options::OPT_print_file_name_EQ, Goal::Answer},
    {options::OPT_print_libgcc_file_name, Goal::Answer},
    {options::OPT_print_multi_directory, Goal::Answer},
    {options::OPT_print_multi_flags, Goal::Answer},
    {options::OPT_print_multi_lib, Goal::Answer},
    {options::OPT_print_multi_os_directory, Goal::Answer},
    {options::OPT_print_prog_name_EQ, Goal::Answer},
    {options::OPT_print_resource_dir, Goal::Answer},
    {options::OPT_print_rocm_search_dirs, Goal::Answer},
    {options::OPT_print_runtime_dir, Goal::Answer},
    {options::OPT_print_search_dirs, Goal::Answer},
    {options::OPT_print_supported_cpus, Goal::Answer},
    {options::OPT_print_supported_extensions, Goal::Answer},
    {options::OPT_print_target_triple, Goal::Answer},
    {options::OPT_print_targets, Goal::Answer},
    {options::OPT_E, Goal::Preprocess},
    {options::OPT_M, Goal::Preprocess},
    {options::OPT_MM, Goal::Preprocess},
    {options::OPT_fsyntax_only, Goal::Check},
    {options::OPT__analyze, Goal::Check},
    {options::OPT__migrate, Goal::Check},
    {options::OPT_emit_ast, Goal::Check},
    {options::OPT_emit_interface_stubs, Goal::Check},
    {options::OPT_extract_api, Goal::Check},
    {options::OPT_module_file_info, Goal::Check},
    {options::OPT_rewrite_objc, Goal::Check},
    {options::OPT_rewrite_legacy_objc, Goal::Check},
    {options::OPT_verify_pch, Goal::Check},
    {options::OPT__precompile, Goal::Precompile},
    {options::OPT_fmodule_header, Goal::Precompile},
    {options::OPT_fmodule_header_EQ, Goal::Precompile},
    {options::OPT_S, Goal::Assembly},
    {options::OPT_c, Goal::Object},
};

struct FactRow {
  unsigned option;
  bool Facts::*fact;
  bool value;
};

constexpr FactRow kFacts[] = {
    {options::OPT_ffreestanding, &Facts::freestanding, true},
    {options::OPT_fhosted, &Facts::freestanding, false},
    {options::OPT_m16, &Facts::narrow, true},
    {options::OPT_m32, &Facts::narrow, true},
    {options::OPT_mx32, &Facts::narrow, true},
    {options::OPT_m64, &Facts::narrow, false},
    {options::OPT_flto, &Facts::linkTimeOptimisation, true},
    {options::OPT_flto_EQ, &Facts::linkTimeOptimisation, true},
    {options::OPT_fno_lto, &Facts::linkTimeOptimisation, false},
    {options::OPT_static, &Facts::staticProgram, true},
    {options::OPT_static_pie, &Facts::staticProgram, true},
    {options::OPT_shared, &Facts::sharedLibrary, true},
    {options::OPT_r, &Facts::sharedLibrary, true},
    {options::OPT_fcolor_diagnostics, &Facts::coloursChosen, true},
    {options::OPT_fno_color_diagnostics, &Facts::coloursChosen, true},
    {options::OPT_fdiagnostics_color_EQ, &Facts::coloursChosen, true},
    {options::OPT_fmessage_length_EQ, &Facts::widthChosen, true},
};

// Flags whose value decides: they speak of the fact when one of the comma-separated values starts with the text.
struct ValueRow {
  unsigned option;
  const char *text;
  bool Facts::*fact;
  bool value = true;
};

constexpr ValueRow kValues[] = {
    {options::OPT_mcmodel_EQ, "kernel", &Facts::freestanding},
    {options::OPT_D, "__KERNEL__", &Facts::freestanding},
    {options::OPT_fsanitize_EQ, "thread", &Facts::otherSanitizer},
    {options::OPT_fsanitize_EQ, "kernel-", &Facts::otherSanitizer},
    {options::OPT_fno_sanitize_EQ, "thread", &Facts::otherSanitizer, false},
    {options::OPT_fno_sanitize_EQ, "kernel-", &Facts::otherSanitizer, false},
};

InputKind kindByLanguage(StringRef language) {
  language.consume_front("objective-");
  if (language.ends_with("-header") || language.ends_with("-header-unit-header")) return InputKind::Header;
  return llvm::StringSwitch<InputKind>(language)
      .Cases("c", "c++", "cpp-output", "c-cpp-output", "c++-cpp-output", InputKind::Source)
      .Cases("c++-module", "c++-module-cpp-output", "pcm", InputKind::Source)
      .Default(InputKind::Other);
}

InputKind kindByName(StringRef name) {
  return llvm::StringSwitch<InputKind>(llvm::sys::path::extension(name))
      .Cases(".c", ".i", ".m", ".mi", ".M", InputKind::Source)
      .Cases(".cc", ".cp", ".cpp", ".cxx", ".c++", ".ii", InputKind::Source)
      .Cases(".C", ".CC", ".CPP", ".CXX", ".C++", InputKind::Source)
      .Cases(".mm", ".mii", ".iim", ".pcm", InputKind::Source)
      .Cases(".cppm", ".ccm", ".cxxm", ".c++m", ".ixx", InputKind::Source)
      .Cases(".h", ".H", ".hh", ".hp", ".hpp", ".hxx", ".h++", InputKind::Header)
      .Default(InputKind::Other);
}

// Clang takes the last of the -g flags that name a level; the others (-gsplit-dwarf, -gz) name none.
DebugLevel debugLevel(const InputArgList &parsed) {
  const Arg *last = parsed.getLastArg(options::OPT_g_Group);
  if (!last) return DebugLevel::None;
  const llvm::opt::Option &option = last->getOption();
  if (option.matches(options::OPT_g0) || option.matches(options::OPT_ggdb0)) return DebugLevel::None;
  for (unsigned lines : {options::OPT_g1, options::OPT_ggdb1, options::OPT_gline_tables_only, options::OPT_gmlt,
                         options::OPT_gline_directives_only})
    if (option.matches(lines)) return DebugLevel::Lines;
  return DebugLevel::Full;
}

void noteFacts(const Arg &argument, Facts &facts) {
  for (const FactRow &row : kFacts)
    if (argument.getOption().matches(row.option)) facts.*row.fact = row.value;
  for (const ValueRow &row : kValues)
    if (argument.getOption().matches(row.option))
      for (StringRef value : argument.getValues())
        if (value.starts_with(row.text)) facts.*row.fact = row.value;
}

// GCC's -flto=8 asks for eight jobs; clang refuses the number.
bool countsJobs(const Arg &argument) {
  return argument.getOption().matches(options::OPT_flto_EQ) && !StringRef(argument.getValue()).empty() &&
         llvm::all_of(StringRef(argument.getValue()), llvm::isDigit);
}

bool isForeign(const Arg &argument) {
  const llvm::opt::Option &option = argument.getOption();
  return option.matches(options::OPT_UNKNOWN) || option.hasFlag(options::Unsupported) ||
         option.matches(options::OPT_clang_ignored_gcc_optimization_f_Group) || countsJobs(argument);
}

void separateForeign(const InputArgList &parsed, const std::vector<std::string> &arguments, CommandLine &result) {
  visitArguments(parsed, arguments, [&](const Arg &argument, const std::vector<std::string> &words) {
    llvm::append_range(isForeign(argument) ? result.foreign : result.arguments, words);
    if (countsJobs(argument)) result.arguments.push_back("-flto");
  });
}

void addInputs(const InputArgList &parsed, CommandLine &result) {
  std::string language = "none";
  for (const Arg *argument : parsed) {
    if (argument->getOption().matches(options::OPT_x)) language = argument->getValue();
    if (!argument->getOption().matches(options::OPT_INPUT) && !argument->getOption().matches(options::OPT__DASH_DASH))
      continue;
    for (const char *name : argument->getValues())
      result.inputs.push_back({name, language == "none" ? kindByName(name) : kindByLanguage(language)});
  }
}

// cc1 and the other personalities of the clang program have command lines of their own.
bool isOtherTool(const std::vector<std::string> &arguments, const InputArgList &parsed) {
  if (!arguments.empty() && StringRef(arguments.front()).starts_with("-cc1")) return true;
  StringRef mode = parsed.getLastArgValue(options::OPT_driver_mode, "gcc");
  return mode != "gcc" && mode != "g++";
}

} // namespace

CommandLine parse(const std::vector<std::string> &arguments) {
  InputArgList parsed = parseArguments(arguments);
  CommandLine result;
  if (isOtherTool(arguments, parsed)) {
    result.goal = Goal::Answer;
    result.arguments = arguments;
    return result;
  }
  for (const GoalRow &row : kGoals)
    if (parsed.hasArg(row.option)) result.goal = std::min(result.goal, row.goal);
  for (const Arg *argument : parsed) noteFacts(*argument, result.facts);
  result.debug = debugLevel(parsed);
  result.output = parsed.getLastArgValue(options::OPT_o);
  separateForeign(parsed, arguments, result);
  addInputs(parsed, result);
  if (result.inputs.empty()) result.goal = Goal::Answer; // -v, -Wl,--version, -print-multiarch
  return result;
}

bool CommandLine::generatesCode() const {
  return goal >= Goal::Assembly &&
         llvm::any_of(inputs, [](const Input &input) { return input.kind == InputKind::Source; });
}

bool CommandLine::readsStandardInput() const {
  return llvm::any_of(inputs, [](const Input &input) { return input.name == "-"; });
}

std::vector<std::string> expandResponseFiles(const std::vector<std::string> &arguments, const std::string &directory) {
  llvm::BumpPtrAllocator allocator;
  llvm::SmallVector<const char *> words;
  for (const std::string &argument : arguments) words.push_back(argument.c_str());
  llvm::cl::ExpansionContext context(allocator, llvm::cl::TokenizeGNUCommandLine);
  if (!directory.empty()) context.setCurrentDir(directory);
  if (llvm::Error error = context.expandResponseFiles(words)) {
    llvm::consumeError(std::move(error)); // clang reports it
    return arguments;
  }
  return {words.begin(), words.end()};
}

} // namespace deadheat::capture
