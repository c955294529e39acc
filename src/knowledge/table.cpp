#include "knowledge/table.h"

#include <algorithm>

namespace deadheat::knowledge {

namespace {

struct Words {
  std::string_view name;
  std::string_view sentence;
};

constexpr Words kActions[] = {
#define ACTION(name, sentence) {#name, sentence},
#include "knowledge/actions.def"
};

constexpr std::string_view kKinds[] = {"",
                                       "mutex",
                                       "recursive mutex",
                                       "spinlock",
                                       "read-write lock",
                                       "spinning read-write lock",
                                       "semaphore",
                                       "condition variable",
                                       "barrier",
                                       "once",
                                       "event",
                                       "sequence lock",
                                       "bottom halves",
                                       "preemption"}; // by Kind
static_assert(std::size(kKinds) == static_cast<size_t>(Kind::Preemption) + 1);

constexpr std::string_view kContexts[] = {"thread", "work item", "timer", "software interrupt", "interrupt"};
static_assert(std::size(kContexts) == static_cast<size_t>(Context::Interrupt) + 1);

} // namespace

std::string_view nameOf(Action action) { return kActions[static_cast<size_t>(action)].name; }
std::string_view sentenceOf(Action action) { return kActions[static_cast<size_t>(action)].sentence; }
std::string_view nameOf(Kind kind) { return kKinds[static_cast<size_t>(kind)]; }
std::string_view nameOf(Context context) { return kContexts[static_cast<size_t>(context)]; }

Table::Table(Program program) {
  for (const Row &row : kRows)
    if (isKernel(row.set) == (program == Program::Kernel)) insert(row);
}

void Table::insert(Row row) {
  std::string_view name = row.name;
  if (!row.prefix) {
    rows_[name] = row;
    return;
  }
  auto longEnough = [&](const Row &other) { return std::string_view(other.name).size() > name.size(); };
  prefixes_.insert(std::ranges::partition_point(prefixes_, longEnough), row);
}

void Table::add(std::string_view name, Row row) {
  row.prefix = name.ends_with('*');
  if (row.prefix) name.remove_suffix(1);
  row.name = names_.emplace_back(name).c_str();
  insert(row);
}

const Row *Table::find(std::string_view name) const {
  if (auto found = rows_.find(name); found != rows_.end()) return &found->second;
  auto matches = [&](const Row &row) { return name.starts_with(row.name) && name.ends_with(row.ending); };
  auto found = std::ranges::find_if(prefixes_, matches);
  return found == prefixes_.end() ? nullptr : &*found;
}

} // namespace deadheat::knowledge
