#include "driver/common_options.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include "driver/finish.h"
#include "driver/output_file.h"
#include "driver/paths.h"
#include "finding/json.h"
#include "finding/names.h"
#include "finding/store.h"
#include "finding/verdict.h"

namespace deadheat::driver {
namespace {

constexpr std::pair<const char *, Color> kColors[] = {
    {"auto", Color::Auto}, {"always", Color::Always}, {"never", Color::Never}};

std::vector<std::string> levelNames() {
  std::vector<std::string> names;
  for (const finding::LevelRow &row : finding::kLevels) names.emplace_back(row.name);
  return names;
}

std::vector<std::string> colorNames() {
  std::vector<std::string> names;
  for (const auto &[name, color] : kColors) names.push_back(name);
  return names;
}

void setColor(Color &chosen, const std::string &wanted) {
  for (const auto &[name, color] : kColors)
    if (wanted == name) chosen = color;
}

} // namespace

CLI::Option *declareLevel(CLI::App &app, const char *name, std::optional<finding::Level> &level,
                          const std::string &meaning) {
  auto set = [&level](const std::string &text) { level = finding::levelNamed(text); };
  return app.add_option_function<std::string>(name, set, meaning + " (" + llvm::join(levelNames(), ", ") + ")")
      ->check(CLI::IsMember(levelNames()));
}

void declareDatabase(CLI::App &app, CommonOptions &options) {
  app.add_option("--db", options.database,
                 "directory in which findings and their evidence are kept (" + options.database + ")")
      ->option_text("DIR");
}

void declareOutputs(CLI::App &app, CommonOptions &options) {
  app.add_option("--json", options.json, "write the findings to FILE as JSON (-: standard output)")
      ->option_text("FILE");
  app.add_option("--sarif", options.sarif, "write the findings to FILE as SARIF 2.1.0")->option_text("FILE");
  app.add_option("--html", options.html, "write the findings to FILE as one page for a browser")->option_text("FILE");
}

void declareSuppressions(CLI::App &app, CommonOptions &options) {
  app.add_option("--suppressions", options.suppressions,
                 std::string("file of findings to leave out, in TSan's syntax (") + kSuppressionsFile +
                     ", if there is one)")
      ->option_text("FILE");
}

void declareTerminal(CLI::App &app, CommonOptions &options) {
  app.add_flag("-q,--quiet", options.quiet, "print errors only");
  app.add_flag("-v,--verbose", options.verbose, "print everything: all findings, demoted ones too");
  auto set = [&options](const std::string &text) { setColor(options.color, text); };
  app.add_option_function<std::string>("--color", set, "auto, always or never")
      ->check(CLI::IsMember(colorNames()))
      ->option_text("WHEN");
}

void declareCommon(CLI::App &app, CommonOptions &options, std::optional<finding::Level> failOn) {
  options.failOn = failOn;
  app.set_version_flag("--version", "deadheat " + std::string(version()));
  declareOutputs(app, options);
  std::string byDefault = failOn ? std::string(name(*failOn)) : "none";
  declareLevel(app, "--fail-on", options.failOn,
               "lowest level of a finding that makes the exit status 1, by default " + byDefault)
      ->option_text("LEVEL");
  declareSuppressions(app, options);
  app.add_option("--baseline", options.baseline, "findings.json of before: only findings that are not in it count")
      ->option_text("FILE");
  declareDatabase(app, options);
  app.add_option("--config", options.config, "settings of the project (deadheat.toml, if there is one)")
      ->option_text("FILE");
  app.add_option("-j,--jobs", options.jobs, "threads or processes to work with (as many as processors)")
      ->option_text("N");
  declareTerminal(app, options);
}

std::optional<int> parseArguments(CLI::App &app, const std::vector<std::string> &arguments) {
  try {
    // CLI11 takes the arguments from the back.
    app.parse(std::vector(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::Success &asked) { // for help or the version
    return app.exit(asked);
  } catch (const CLI::ParseError &error) {
    return complain(std::string(error.what()) + " (" + app.get_name() + " --help)");
  }
  return std::nullopt;
}

int complain(const std::string &text) {
  llvm::errs() << "deadheat: error: " << text << '\n';
  return kExitBadInput;
}

Expected<void> checkCommon(const CommonOptions &options) {
  const std::pair<const std::string &, const char *> outputs[] = {
      {options.json, "--json"}, {options.sarif, "--sarif"}, {options.html, "--html"}};
  for (const auto &[path, option] : outputs)
    if (auto writable = checkWritable(path, option); !writable) return writable;
  if (!options.config.empty() && !llvm::sys::fs::exists(options.config))
    return fail(options.config + ": there is no such file", "name a file after --config");
  if (auto suppressions = loadSuppressions(options); !suppressions) return std::unexpected(suppressions.error());
  std::vector<finding::Finding> none;
  if (!options.baseline.empty())
    if (auto baseline = finding::applyBaseline(none, options.baseline); !baseline) return baseline;
  if (auto store = finding::Store::open(options.database); !store) return std::unexpected(store.error());
  return {};
}

} // namespace deadheat::driver
