// What a function does to locks, to memory and to shared data, in terms of its formals and globals: all that its callers
// need to know of it (RELAY, 3.2 and 3.3).
//
// Differs from the paper
//   - A guarded access whose location and locks do not depend on formals is not copied into callers: it is `settled`
//     here, and the locks that callers hold reach it top-down (race/context.h). The same warnings, without the
//     product of functions and accesses.
//   - Equal guarded accesses are one entry with many sources; a source is a statement, and for a call the entry of the
//     callee that it came from. So a chain of calls can be told for every access, and nothing is copied for it.
//   - The lock summary is split by result: zero (null) or not.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analyse/domain/value.h"
#include "analyse/lockset/lockset.h"
#include "analyse/symbolic/state.h"
#include "link/call_graph.h"
#include "link/ids.h"
#include "link/points_to.h"
#include "model/code.h"

namespace deadheat::analyse {

// What is known of a name besides itself.
struct NodeInfo {
  link::Location points = {}; // what its value may point to
  link::Location stored = {}; // of a Load: the location that was read
  uint32_t field = 0;         // of a Load: the field that was read
  bool isAtomic = false;      // of a Load: it was read so
  std::string_view text = {}; // as the source calls the value; empty: not known
};

struct Names {
  NodeTable nodes;
  std::vector<NodeInfo> info; // [node]
};

enum class Outcome : uint8_t { Any, Zero, NonZero };

// A parameter that is 0 (null), or is not.
struct Given {
  uint32_t parameter = 0;
  bool isZero = false;
  auto operator<=>(const Given &) const = default;
};

struct Exit {
  Outcome outcome = Outcome::Any;
  std::optional<Given> when = {}; // what was given decides about the locks; nothing: it does not
  bool isLeftOut = false;         // a lock is not taken, or not given back, that is otherwise: see symbolic/left_out.h
  Lockset locks;
  bool operator==(const Exit &) const = default;
};

struct AccessTraits {
  bool write = false;
  bool atomic = false;
  bool range = false;
  bool signal = false;      // no access: something is told to other threads
  bool unshared = false;    // of an object that was taken out of its container here
  bool lockLeftOut = false; // see symbolic/left_out.h
  bool unordered = false;   // a relaxed atomic; or of an object that the function that made it shows to others by one
  bool published = false;   // of a caller's object, which the function had shown to others before
  auto operator<=>(const AccessTraits &) const = default;
};

struct Source {
  model::StatementId statement; // of the function's unit
  model::SiteId site;           // valid: the access itself
  link::FuncId callee;          // valid: the access is `entry` of that function
  uint32_t entry = 0;
  auto operator<=>(const Source &) const = default;
};

// A guarded access (paper: o, L, k).
struct Entry {
  Address lvalue = {};
  uint32_t locks = 0; // of Summary::locksets
  AccessTraits traits = {};
  uint32_t field = 0; // of Fields; 0: not known
  uint32_t size = 0;
  link::Location where = {}; // where points-to sees it
  Address container =
      {}; // of the library's, that keeps the object, if a caller may know more of it: see symbolic/containers.cpp
  bool settled = false;
  std::vector<Source> sources; // sorted
};

// Formal `from` is stored into memory reached from formal `into`, or into what everybody can reach.
struct Flow {
  static constexpr uint32_t kShared = UINT32_MAX;
  uint32_t from = 0;
  uint32_t into = kShared;
  Handing handing = Handing::Itself; // if kShared; what goes into a formal is taken for the object itself
  auto operator<=>(const Flow &) const = default;
};

// A call, for the way down: locks that are certainly held there.
struct CallRecord {
  model::StatementId statement;
  link::CallSiteId site;
  Lockset locks;
  bool reached = false;
  link::FuncId callee = {}; // valid: where that one is called; of one call there are several such records
};

// Whom the calls of a record lead to.
inline std::span<const link::FuncId> calleesOf(const link::CallGraph &calls, const CallRecord &record) {
  return record.callee.valid() ? std::span(&record.callee, 1)
                               : std::span<const link::FuncId>(calls.callees[record.site]);
}

struct LockText {
  Address lock = {};
  std::string_view text = {};
};

// A pointer that a thread finds in what it is started with, or in a variable that such a pointer leads to: where, and to what it leads.
struct Handed {
  model::StatementId start;
  Address location = {}; // no node: in what it is started with
  Address content = {};
};

struct Summary {
  bool ready = false;
  Names names;
  std::vector<Exit> exits; // none: does not return
  bool tries = false;      // a lock that somebody else may have, in which case it goes on without; here, or in a callee
  Value returned;
  std::optional<Address> told;  // the atomic whose value is returned, on all ways
  std::vector<NodeId> fresh;    // objects that only the caller knows of, in order of their ids
  std::vector<NodeId> detached; // see State
  std::vector<Address> detachedIn;
  bool takesNumber = false; // what is returned is one that nobody else gets: see State::taken
  std::vector<std::pair<Address, Value>> stores;
  Clobbers clobbers;
  std::vector<Flow> flows;

  std::vector<Lockset> locksets;
  std::vector<Entry> entries;
  std::vector<CallRecord> calls; // by statement
  std::vector<LockText> lockTexts;
  std::vector<Handed> handed;
  std::vector<uint32_t> lockFormals; // sorted: parameters by which locks are reached
  uint32_t folded = 0;               // accesses that lost their name to a bound
};

inline constexpr size_t kMaxTested = 8;

// What the function reads, if that is little: a predicate, of at most kMaxTested accesses.
inline std::vector<Entry> readBy(const Summary &summary) {
  std::vector<Entry> read;
  if (summary.entries.size() <= kMaxTested)
    for (const Entry &entry : summary.entries)
      if (!entry.traits.write) read.push_back(entry);
  return read;
}

} // namespace deadheat::analyse
