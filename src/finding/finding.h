// A finding, as every engine makes it, every report shows it and findings.json holds it (docs/formats/findings.md).
//
// An engine fills the facts: kind, level, score, accesses or cycle, its vote, demotions, evidence. It leaves `id` and
// `rank` empty: collect.h gives them, and joins what several engines say of the same pair of sites.
//
// Texts are for people, except where a comment says that they identify. Lists have no order of their own unless said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace deadheat::finding {

enum class Kind : uint8_t {
#define KIND(name, text, prefix, title, meaning, remedy) name,
#include "finding/kinds.def"
#undef KIND
};

enum class Level : uint8_t {
#define LEVEL(name, text, meaning) name,
#include "finding/levels.def"
#undef LEVEL
};

struct Place {
  std::string file = {}; // relative to the source root where it lies below it; empty: unknown
  uint32_t line = 0;
  uint32_t column = 0; // 0: unknown

  bool known() const { return !file.empty(); }
  auto operator<=>(const Place &) const = default;
};

struct Frame {
  std::string function = {};
  Place place = {};

  auto operator<=>(const Frame &) const = default;
};

// One side of a race, or one operation of the other kinds except deadlocks.
struct Access {
  Place place = {};          // of the innermost frame in the user's own files
  std::string function = {}; // the function of that frame, as a person knows it (model::Function::display); identifies
  std::string access = {};   // model::name(AccessKind): "read", "range write", ...; or "lock", "unlock", "call"
  std::string path = {};     // x->n
  std::string thread = {};   // the thread's entry function; "main" for the first thread
  bool threadMany = false;
  Place createdAt = {};                // where the thread is created; unknown for the first
  std::vector<std::string> locks = {}; // held at the access
  std::string site = {};               // siteKey() (site_key.h): the same text from static and dynamic engines
  std::string spot = {};               // spotKey(), likewise; empty: not known. Identifies, else `site` does
  std::vector<Frame> stack = {};       // innermost first, the library's frames too

  bool operator==(const Access &) const = default;
};

// One edge of a deadlock: a thread that holds a lock wants another one. The edges are in order of the cycle.
struct CycleEdge {
  std::string holds = {};
  std::string wants = {};
  Place place = {}; // of the inner acquisition
  std::string function = {};
  std::string thread = {};
  bool threadMany = false;
  Place createdAt = {};
  Place heldSince = {};          // where `holds` was acquired, if known
  std::string site = {};         // siteKey() of the inner acquisition; identifies
  std::vector<Frame> trace = {}; // innermost first

  bool operator==(const CycleEdge &) const = default;
};

// Why a finding was moved down in rank. Filters demote, they never delete.
// Reasons that an execution gave: who only reads the text does not take them back.
inline constexpr std::string_view kHandedOver = "handed-over";
inline constexpr std::string_view kHandOverNotWatched = "hand-over-not-watched";

struct Demotion {
  std::string reason = {}; // a word for scripts: thread-local-allocation
  std::string why = {};

  auto operator<=>(const Demotion &) const = default;
};

struct Harm {
  std::string kind = {}; // signal, abort, assertion, exception, sanitizer, deadlock, hang, output
  std::string detail = {};

  bool operator==(const Harm &) const = default;
};

// The share of schedules in which it happens, with the interval that holds it with 95 % confidence.
struct Probability {
  double value = 0;
  double low = 0;
  double high = 1;

  bool operator==(const Probability &) const = default;
};

// What made a finding climb to a level.
struct Evidence {
  Level level = Level::Possible;
  std::string by = {};     // the engine or strategy
  std::string detail = {}; // one sentence
  std::optional<uint64_t> seed = {};
  std::string schedule = {}; // name of the stored schedule
  uint64_t runs = 0;         // schedules tried; for `observed`: 0
  uint64_t hits = 0;         // of them, those in which it happened; for `observed`: how often it was seen
  std::optional<Probability> probability = {}; // of schedules that aim at it
  std::optional<Harm> harm = {};
  std::vector<std::string> steps = {}; // the interleaving of the schedule, one turn a line

  bool operator==(const Evidence &) const = default;
};

struct NotClimbed {
  std::string reason = {}; // never-executed, one-thread, always-ordered, optimised-away, not-hit
  std::string by = {};     // what orders it
  std::string cause = {};  // of a reason that has several, where it is not the one that its name says: library-call

  bool operator==(const NotClimbed &) const = default;
};

struct Finding {
  std::string id = {}; // R-8f31c2a45d0e9b17, given by collect()
  Kind kind = Kind::Race;
  Level level = Level::Possible;
  uint32_t rank = 0;      // 1 is the first, given by collect()
  double score = 0;       // higher is more worth reading
  std::string title = {}; // empty: made from the facts
  std::string variable = {};
  Place allocatedAt = {};            // of the object that is raced on, if it is known
  std::vector<Access> accesses = {}; // two for a race, one or two for the other kinds, none for a deadlock
  std::vector<CycleEdge> cycle = {}; // deadlocks only
  std::vector<std::string> votes = {};
  std::vector<Demotion> demotions = {};
  std::vector<Evidence> evidence = {}; // in the order in which it was gathered
  std::optional<NotClimbed> notClimbed = {};
  std::string why = {}; // why it is thought to be real; empty: made from the facts
  std::string fix = {}; // what would fix it; empty: made from the facts
  bool suppressed = false;
  std::string suppressedBy = {}; // the line that did it
  bool baselined = false;        // it stands in the baseline: known before

  bool demoted() const { return !demotions.empty(); }
  bool operator==(const Finding &) const = default;
};

struct ProgramThread {
  std::string entry = {};
  Place createdAt = {};
  bool many = false;

  bool operator==(const ProgramThread &) const = default;
};

struct ProgramLock {
  std::string name = {};
  std::string kind = {}; // mutex, rwlock, spin, semaphore, ...

  bool operator==(const ProgramLock &) const = default;
};

struct Gap {
  std::string kind = {};
  uint64_t count = 0;

  bool operator==(const Gap &) const = default;
};

struct SiteCounts {
  uint64_t early = 0;
  uint64_t late = 0;
  uint64_t mapped = 0;

  bool operator==(const SiteCounts &) const = default;
};

// What the findings were found in.
struct Program {
  std::vector<std::string> command = {};
  std::optional<int> exit = {};
  std::optional<int> signal = {};
  uint64_t shared = 0;
  std::vector<ProgramThread> threads = {};
  std::vector<ProgramLock> locks = {};
  std::vector<Gap> gaps = {};
  SiteCounts sites = {};

  bool operator==(const Program &) const = default;
};

struct Findings {
  std::string toolVersion = {};
  Program program = {};
  std::vector<Finding> list = {}; // by rank, once collected

  bool operator==(const Findings &) const = default;
};

} // namespace deadheat::finding
