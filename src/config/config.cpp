#include "config/config.h"

#include "llvm/Support/FileSystem.h"

#include "config/section.h"
#include "support/file.h"

namespace deadheat::config {

using knowledge::Action;
using knowledge::Kind;
using knowledge::kNone;
using knowledge::kResult;
using knowledge::Mode;
using knowledge::Row;
using knowledge::Success;

namespace {

constexpr Choice<Kind> kLockKinds[] = {{"mutex", Kind::Mutex},
                                       {"recursive", Kind::Recursive},
                                       {"spin", Kind::Spin},
                                       {"rwlock", Kind::ReadWrite},
                                       {"semaphore", Kind::Semaphore}};

constexpr Choice<Success> kSuccesses[] = {{"zero", Success::Zero}, {"nonzero", Success::NonZero}};

constexpr Choice<knowledge::Program> kPrograms[] = {{"hosted", knowledge::Program::Hosted},
                                                    {"linux", knowledge::Program::Kernel}};

void add(Config &config, const std::vector<std::string> &names, Row row) {
  row.set = knowledge::Set::User;
  for (const std::string &name : names) config.rows.push_back({name, row});
}

// A semaphore that keeps others out is a lock to its users: they said so.
void readLock(Section &section, Config &config) {
  Row row{.object = section.argument("argument", 0)};
  row.kind = section.choice<Kind>("kind", kLockKinds, Kind::Mutex);
  Success success = section.choice<Success>("success", kSuccesses, Success::NonZero);
  for (Mode mode : {Mode::Exclusive, Mode::Shared}) {
    std::string suffix = mode == Mode::Shared ? "_shared" : "";
    row.mode = mode;
    row.action = Action::Acquire;
    add(config, section.names("acquire" + suffix), row);
    Row attempt = row;
    attempt.success = success;
    attempt.flags = knowledge::kTry;
    add(config, section.names("try" + suffix), attempt);
    row.action = Action::Release;
    add(config, section.names("release" + suffix), row);
  }
  section.demand({"acquire", "acquire_shared", "try", "try_shared"});
  section.demand({"release", "release_shared"});
}

void readThread(Section &section, Config &config) {
  Row spawn{.action = Action::Spawn, .object = section.place("handle", kNone)};
  spawn.entry = section.argument("entry", kNone);
  spawn.argument = section.argument("argument", kNone);
  spawn.flags = section.flag("many") ? knowledge::kMany : 0;
  if (spawn.object >= 0) spawn.flags |= knowledge::kByAddress;
  section.demand({"create"});
  section.demand({"entry"});
  add(config, section.names("create"), spawn);
  add(config, section.names("join"), {.action = Action::Join, .object = section.argument("join_argument", 0)});
}

void readAllocator(Section &section, Config &config) {
  Row allocate{.action = Action::Allocate, .object = section.argument("out", kResult)};
  if (allocate.object != kResult) allocate.flags = knowledge::kOutParameter;
  section.demand({"allocate", "free"});
  add(config, section.names("allocate"), allocate);
  add(config, section.names("free"), {.action = Action::Free, .object = section.argument("argument", 0)});
}

void readCallback(Section &section, Config &config) {
  Row row{.action = Action::Calls};
  row.entry = section.argument("entry", kNone);
  row.argument = section.argument("argument", kNone);
  section.demand({"function"});
  section.demand({"entry"});
  add(config, section.names("function"), row);
}

void readFunctions(Section &section, Config &config) {
  add(config, section.names("no_return"), {.action = Action::NoReturn});
  add(config, section.names("blocks"), {.action = Action::Blocks});
  add(config, section.names("outside"), {.action = Action::Root});
}

void readProgram(Section &section, Config &config) {
  config.program = section.choice<knowledge::Program>("kind", kPrograms, knowledge::Program::Hosted);
  section.demand({"kind"});
}

struct SectionRow {
  std::string_view name;
  bool many; // [[name]]
  void (*read)(Section &section, Config &config);
};

constexpr SectionRow kSections[] = {
    {"lock", true, readLock},         {"thread", true, readThread},        {"allocator", true, readAllocator},
    {"callback", true, readCallback}, {"functions", false, readFunctions}, {"program", false, readProgram},
};

std::string knownSections() {
  std::string text;
  for (const SectionRow &row : kSections)
    text += (text.empty() ? "" : ", ") +
            (row.many ? "[[" + std::string(row.name) + "]]" : "[" + std::string(row.name) + "]");
  return text;
}

void readNode(const toml::key &key, const toml::node &node, Faults &faults, Config &config) {
  for (const SectionRow &row : kSections) {
    if (row.name != key.str()) continue;
    const toml::array *list = node.as_array();
    if (row.many ? !list || !list->is_homogeneous(toml::node_type::table) : !node.is_table())
      return faults.add(key.source(), "`" + std::string(row.name) + "` is not a section",
                        "known are " + knownSections());
    auto read = [&](const toml::table &table) {
      Section section(row.name, table, faults);
      row.read(section, config);
      section.finish();
    };
    if (!row.many) return read(*node.as_table());
    for (const toml::node &element : *list) read(*element.as_table());
    return;
  }
  faults.add(key.source(), "`" + std::string(key.str()) + "` is not known", "known are " + knownSections());
}

} // namespace

knowledge::Table Config::table(knowledge::Program found) const {
  knowledge::Table table(program.value_or(found));
  for (const NamedRow &row : rows) table.add(row.name, row.row);
  return table;
}

Expected<Config> parseConfig(const std::string &text, const std::string &name) {
  Faults faults(name);
  toml::parse_result document = toml::parse(std::string_view(text));
  if (!document) {
    faults.add(document.error().source(), std::string(document.error().description()), "");
    return std::unexpected(*faults.first());
  }
  Config config;
  for (const auto &[key, node] : document.table()) readNode(key, node, faults, config);
  if (faults.first()) return std::unexpected(*faults.first());
  return config;
}

Expected<Config> readConfig(const std::string &path) {
  if (path.empty() && !llvm::sys::fs::exists(kFileName)) return Config{};
  std::string name = path.empty() ? kFileName : path;
  auto file = readFile(name);
  if (!file) return std::unexpected(file.error());
  return parseConfig((*file)->getBuffer().str(), name);
}

} // namespace deadheat::config
