#include "analyse/explain.h"

#include "llvm/Support/raw_ostream.h"

#include "analyse/race/chains.h"
#include "analyse/race/pairs.h"
#include "support/text_table.h"

namespace deadheat::analyse {

static constexpr size_t kMaxPairs = 200; // told of one function

namespace {

// Locations of one function in its own words.
class Words {
public:
  Words(const Environment &environment, link::FuncId function)
      : summary_(environment.summary(function)), program_(environment.program) {}

  std::string address(Address location) const {
    for (const LockText &row : summary_.lockTexts)
      if (row.lock == location) return std::string(row.text);
    std::string base = node(location.node);
    bool isObjectItself = isObject(summary_.names.nodes[location.node].kind);
    if (location.offset == 0) return isObjectItself ? base : "*" + base;
    return base + (isObjectItself ? "+" : "->+") + std::to_string(location.offset);
  }

  std::string locks(const Lockset &locks) const {
    std::string text = "({";
    for (const HeldLock &held : locks.held())
      text += (text.back() == '{' ? "" : ", ") + address(held.lock) + (held.mode == LockMode::Shared ? " shared" : "");
    text += "}, {";
    for (Address gone : locks.released()) text += (text.back() == '{' ? "" : ", ") + address(gone);
    return text + "})";
  }

private:
  std::string node(NodeId id) const {
    const Node &row = summary_.names.nodes[id];
    std::string_view text = summary_.names.info[id.value()].text;
    if (!text.empty()) return std::string(text);
    switch (row.kind) {
    case NodeKind::Formal: return "argument " + std::to_string(row.index);
    case NodeKind::Global: return std::string(program_.variable(link::GlobalId(row.index)).display);
    case NodeKind::Heap: return "allocated in " + std::string(program_.function(link::FuncId(row.owner)).display);
    case NodeKind::Stack: return "on the stack of " + std::string(program_.function(link::FuncId(row.owner)).display);
    case NodeKind::Load: return node(row.base) + "->+" + std::to_string(row.offset);
    case NodeKind::Element: return node(row.base) + "[]";
    case NodeKind::Opaque: return "value " + std::to_string(row.index);
    case NodeKind::Some: return row.folded ? "some object (folded)" : "some object";
    }
    return {};
  }

  const Summary &summary_;
  const link::Program &program_;
};

} // namespace

static std::string_view kindText(const AccessTraits &traits) {
  if (traits.atomic) return traits.write ? "atomic write" : "atomic read";
  return traits.write ? "write" : "read";
}

// The words and the line of the first statement that does it.
static std::pair<std::string, std::string> sourceOf(const World &world, link::FuncId function, uint32_t entry) {
  WorldAccess access{.function = function, .entry = entry};
  std::vector<Leaf> leaves = leavesOf(world, access, 1);
  if (leaves.empty()) return {};
  const model::Unit &unit = world.environment.program.unit(leaves[0].unit);
  const model::Site &site = unit.sites[leaves[0].site];
  return {std::string(unit.strings[site.path]), std::string(unit.strings[site.file]) + ":" + std::to_string(site.line)};
}

static void printSummaries(llvm::raw_ostream &out, const World &world, link::FuncId function) {
  const Summary &summary = world.environment.summary(function);
  Words words(world.environment, function);
  static constexpr const char *kOutcomes[] = {"", " if it returns 0", " if it returns not 0"};
  for (const Exit &exit : summary.exits)
    out << "  locks " << words.locks(exit.locks) << kOutcomes[static_cast<size_t>(exit.outcome)] << "\n";
  if (summary.exits.empty()) out << "  does not return\n";
  TextTable table({TextTable::Align::Left, TextTable::Align::Left, TextTable::Align::Left, TextTable::Align::Left});
  for (uint32_t i = 0; i < summary.entries.size(); ++i) {
    const Entry &entry = summary.entries[i];
    auto [path, place] = sourceOf(world, function, i);
    table.add({path.empty() ? words.address(entry.lvalue) : path, words.locks(summary.locksets[entry.locks]),
               std::string(kindText(entry.traits)), place});
  }
  table.print(out, "  ");
}

static void printVerdicts(llvm::raw_ostream &out, const World &world, link::FuncId function) {
  size_t told = 0;
  for (const WorldAccess &access : world.accesses) {
    if (access.function != function) continue;
    for (const WorldAccess &other : world.accesses) {
      bool isTwice = other.function == function && &other < &access;
      if (isTwice || !(world.names.nodes.root(other.lvalue.node) == world.names.nodes.root(access.lvalue.node)))
        continue;
      if (told++ == kMaxPairs) return void(out << "  ... and more pairs\n");
      auto [path, place] = sourceOf(world, access.function, access.entry);
      auto [otherPath, otherPlace] = sourceOf(world, other.function, other.entry);
      std::string_view why = whyNoRace(world, access, other);
      out << "  " << path << " at " << place << " and " << otherPath << " at " << otherPlace << ": "
          << (why.empty() ? "may race" : why) << "\n";
    }
  }
}

// What the tests on the way have told.
static void printKnown(llvm::raw_ostream &out, const link::Program &program, const Conditions &conditions,
                       const Known &known) {
  for (const auto &[id, fact] : known.facts.rows()) {
    const Flag &flag = conditions.flag(id);
    out << "    where ";
    if (flag.function.valid())
      out << "argument " << flag.offset;
    else
      out << program.variable(flag.variable).display;
    if (!flag.function.valid() && flag.offset != 0) out << "+" << flag.offset;
    if (flag.seenBy != 0) out << ", computed with " << flag.seenBy << ",";
    if (flag.like.valid()) out << ", as far as it is like " << program.variable(flag.like).display << ",";
    out << (fact.equal ? " is " : " is not ") << fact.number << "\n";
  }
  for (const Span &span : known.spans)
    if (!span.isPast)
      out << (span.isBusy ? "    while it keeps " : "    until ")
          << program.variable(conditions.flag(span.flag).variable).display
          << (span.isBusy ? " set itself\n" : " says that it was done\n");
}

// How each thread gets here: the likeliest way, with the calls on it that go to several functions.
static void printWays(llvm::raw_ostream &out, const World &world, Reach &reach, link::FuncId function) {
  const link::Program &program = world.environment.program;
  for (link::ThreadId thread : program.threads.executing[function]) {
    link::ThreadId first = world.crewOf[thread.value()];
    if (first != thread || !reach.to(thread, function).isReached()) continue;
    out << "  likeliest way: ";
    for (const Step &step : reach.wayTo(thread, function)) {
      uint32_t width = reach.widthOf(step.function, step.statement);
      out << program.function(step.function).display;
      out << (width > 1 ? " -(" + std::to_string(width) + " targets)-> " : " -> ");
    }
    out << program.function(function).display;
    out << (reach.to(thread, function).isLikely ? "\n" : ", though only against what it has tested on the way\n");
    printKnown(out, program, reach.conditions(), reach.onEntry(thread, function));
  }
}

std::string explainFunction(const World &world, Reach &reach, link::FuncId function) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (!world.environment.summary(function).ready) {
    out << "  has no body in the program\n";
    return text;
  }
  printWays(out, world, reach, function);
  printSummaries(out, world, function);
  printVerdicts(out, world, function);
  return text;
}

} // namespace deadheat::analyse
