#include "capture/plan.h"

#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include "capture/probe.h"

namespace deadheat::capture {

// With the members of classes whose constructors or virtual functions are compiled elsewhere: half of the members of a C++
// program had no name without. By the front end, so that assembler inputs notice nothing.
std::vector<std::string> debugFlags(DebugLevel level) {
  std::vector<std::string> flags = {"-Xclang", "-debug-info-kind=standalone"};
  if (level == DebugLevel::None) llvm::append_range(flags, std::vector<std::string>{"-Xclang", "-dwarf-version=5"});
  return flags;
}

namespace {

using Words = std::vector<std::string>;

enum class Mode { Full, Extract, Instrument, Off };

constexpr std::pair<const char *, Mode> kModes[] = {
    {"full", Mode::Full}, {"extract", Mode::Extract}, {"instrument", Mode::Instrument}, {"off", Mode::Off}};
constexpr const char *kDebugNames[] = {"none", "lines", "full"}; // by DebugLevel

constexpr char kClangVersion[] = "19";
constexpr char kInnerError[] = " (inner error; DEADHEAT_STRICT=1 shows it)";
constexpr char kStaticNote[] = "-static: the runtime attaches by preload, which a static program has not: check will "
                               "work, run and confirm will not";
constexpr char kLtoNote[] = "-flto: link-time inlining happens after instrumentation, so the instrumented program "
                            "optimises less across units";
constexpr char kSanitizerNote[] = "-fsanitize: this sanitizer instruments accesses itself, so the program carries its "
                                  "model only: check will work, run and confirm will not";

std::optional<Mode> modeNamed(llvm::StringRef name) {
  if (name.empty()) return Mode::Full;
  for (auto [text, mode] : kModes)
    if (name == text) return mode;
  return std::nullopt;
}

const char *nameOf(Mode mode) { return kModes[static_cast<size_t>(mode)].first; }
const char *nameOf(DebugLevel level) { return kDebugNames[static_cast<size_t>(level)]; }

// Code that no runtime can attach to, or that another sanitizer instruments, is modelled and left alone.
Mode modeFor(const CommandLine &line, Mode asked) {
  const Facts &facts = line.facts;
  if (!facts.freestanding && !facts.otherSanitizer && !facts.narrow) return asked;
  return asked == Mode::Full ? Mode::Extract : asked == Mode::Instrument ? Mode::Off : asked;
}

// Diagnostics are held back until it is clear whose they are, so clang cannot ask the terminal itself.
Words terminalFlags(const Facts &facts, const Environment &environment) {
  Words flags;
  if (environment.colours && !facts.coloursChosen) flags.push_back("-fcolor-diagnostics");
  if (environment.columns && !facts.widthChosen)
    flags.push_back("-fmessage-length=" + std::to_string(environment.columns));
  return flags;
}

// ccache hashes this, and clang ignores it: what the plugin does depends on more than the source and clang's flags, and
// the model names the folder of the compile, which ccache looks at only when there is debug info.
Words cacheKey(Mode mode, DebugLevel level, const Environment &environment) {
  auto isCcache = [](llvm::StringRef word) { return llvm::sys::path::filename(word).starts_with("ccache"); };
  if (llvm::none_of(environment.compiler, isCcache)) return {};
  std::string folder = llvm::utohexstr(llvm::xxh3_64bits(environment.workingDirectory));
  return {
      llvm::join_items("-", "-frandom-seed=deadheat", nameOf(mode), nameOf(level), environment.pluginStamp, folder)};
}

Words pluginFlags(const CommandLine &line, Mode mode, const Environment &environment) {
  Words flags = {"-fpass-plugin=" + environment.plugin, "-fno-crash-diagnostics"};
  llvm::append_range(flags, debugFlags(line.debug));
  llvm::append_range(flags, terminalFlags(line.facts, environment));
  llvm::append_range(flags, cacheKey(mode, line.debug, environment));
  return flags;
}

Words commandOf(const Environment &environment, const Words &flags, const Words &arguments) {
  Words command = environment.compiler;
  llvm::append_range(command, flags);
  llvm::append_range(command, arguments);
  return command;
}

Words withPlugin(const CommandLine &line, Mode mode, const Words &arguments, const Environment &environment) {
  Words flags = {"-Wno-unknown-warning-option"};
  llvm::append_range(flags, pluginFlags(line, mode, environment));
  return commandOf(environment, flags, arguments);
}

bool isPluginsClang(llvm::StringRef version) { return version.split('.').first == kClangVersion; }

std::string unitsOf(const CommandLine &line) {
  Words names;
  for (const Input &input : line.inputs)
    if (input.kind == InputKind::Source) names.push_back(input.name);
  return llvm::join(names, " ");
}

Words notesFor(const CommandLine &line) {
  Words notes;
  if (!line.foreign.empty())
    notes.push_back("left out, as clang does not support it: " + llvm::join(line.foreign, " "));
  if (line.goal != Goal::Program) return notes;
  if (line.facts.staticProgram && !line.facts.sharedLibrary) notes.push_back(kStaticNote);
  if (line.facts.linkTimeOptimisation) notes.push_back(kLtoNote);
  if (line.facts.otherSanitizer) notes.push_back(kSanitizerNote);
  return notes;
}

void addPlugin(Plan &plan, const CommandLine &line, Mode mode, const Words &arguments, const Environment &environment) {
  if (environment.pluginStamp.empty()) {
    plan.notes.push_back(unitsOf(line) + " compiled without model or instrumentation (no plugin at " +
                         environment.plugin + ")");
    return;
  }
  if (!environment.compilerVersion.empty() && !isPluginsClang(environment.compilerVersion)) {
    plan.notes.push_back(unitsOf(line) + " compiled without model or instrumentation (the plugin is for clang " +
                         kClangVersion + ", and the compiler that DEADHEAT_CLANG or DEADHEAT_CLANGXX names is " +
                         environment.compilerVersion + ")");
    return;
  }
  if (!environment.strict) plan.fallback = plan.command;
  plan.failureNote = unitsOf(line) + " compiled without model or instrumentation" + kInnerError;
  plan.modelOnlyNote = unitsOf(line) + " compiled with a model, but without instrumentation" + kInnerError;
  if (mode == Mode::Full && !environment.strict && line.output != "-")
    plan.modelOnly = withPlugin(line, Mode::Extract, arguments, environment);
  plan.command = withPlugin(line, mode, arguments, environment);
  plan.variables = {{"DEADHEAT_MODE", nameOf(mode)}, {"DEADHEAT_DEBUG", nameOf(line.debug)}};
  // A hit in the cache would bring the object but not the model beside it.
  if (!environment.modelDirectory.empty()) plan.variables.emplace_back("CCACHE_DISABLE", "1");
  plan.spoolsInput = line.readsStandardInput();
}

} // namespace

Expected<Plan> planCompile(const Words &arguments, const Words &expanded, const Environment &environment) {
  std::optional<Mode> asked = modeNamed(environment.mode);
  if (!asked) return fail("DEADHEAT_MODE=" + environment.mode + " is no mode", "use full, extract, instrument or off");

  Plan plan;
  plan.command = commandOf(environment, {}, arguments);
  CommandLine line = parse(expanded);
  if (*asked == Mode::Off || line.goal == Goal::Answer || isProbe(line, environment.workingDirectory)) return plan;

  const Words &kept = line.foreign.empty() ? arguments : line.arguments;
  plan.command = commandOf(environment, {"-Wno-unknown-warning-option"}, kept);
  plan.notes = notesFor(line);
  Mode mode = modeFor(line, *asked);
  if (line.generatesCode() && mode != Mode::Off) addPlugin(plan, line, mode, kept, environment);
  if (environment.quiet) {
    plan.notes.clear();
    plan.failureNote.clear();
    plan.modelOnlyNote.clear();
  }
  return plan;
}

} // namespace deadheat::capture
