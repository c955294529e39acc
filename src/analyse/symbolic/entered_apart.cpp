// Which entries have threads that were started with arguments of their own.
#include "analyse/symbolic/function.h"

#include <algorithm>

namespace deadheat::analyse {

static constexpr size_t kMaxStarts = 64; // of one entry

// Threads of one instance each, started with different objects, or with different numbers.
static bool areGivenApart(const link::Program &program, const link::Thread &a, const link::Thread &b) {
  if (a.distinct != link::DistinctWhy::OneInstance || b.distinct != link::DistinctWhy::OneInstance) return false;
  if (a.number && b.number) return *a.number != *b.number;
  std::optional<link::Place> first = program.pointsTo.single(a.argument), second = program.pointsTo.single(b.argument);
  return first && second && *first != *second;
}

// The library makes an object for every thread that it starts.
static bool hasObjectOfLibrary(const link::Program &program, const link::Thread &thread) {
  return !thread.entries.empty() && thread.kind == link::ThreadKind::Spawned &&
         (program.function(thread.entries[0]).flags & model::kLibrary) != 0;
}

EnteredApart findEnteredApart(const link::Program &program) {
  std::map<link::FuncId, std::vector<const link::Thread *>> byEntry;
  for (const link::Thread &thread : program.threads.list)
    if (thread.kind != link::ThreadKind::Spawned || !thread.creators.empty()) // else nobody executes its start
      for (link::FuncId entry : thread.entries) byEntry[entry].push_back(&thread);
  auto areApart = [&](const link::Thread *a, const link::Thread *b) {
    if (a == b) return a->withinCall != link::DistinctWhy::Not;
    auto hasOwn = [&](const link::Thread *thread) {
      return thread->distinct >= link::DistinctWhy::Indexed || hasObjectOfLibrary(program, *thread);
    };
    return (hasOwn(a) && hasOwn(b)) || areGivenApart(program, *a, *b);
  };
  EnteredApart apart;
  for (const auto &[entry, threads] : byEntry) {
    bool isAlone = threads.size() == 1 && threads[0]->withinCall < link::DistinctWhy::Indexed;
    bool isAlike = threads.size() > kMaxStarts || std::ranges::any_of(threads, [&](const link::Thread *a) {
                     return std::ranges::any_of(threads, [&](const link::Thread *b) { return !areApart(a, b); });
                   });
    bool havePointers = std::ranges::all_of(threads, &link::Thread::ownPointers);
    if (!isAlone && !isAlike) apart[entry] = havePointers ? 2 : 1;
  }
  return apart;
}

} // namespace deadheat::analyse
