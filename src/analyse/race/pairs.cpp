#include "analyse/race/pairs.h"

#include <algorithm>
#include <map>

#include "oneapi/tbb/enumerable_thread_specific.h"
#include "oneapi/tbb/parallel_for.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "analyse/race/buckets.h"
#include "analyse/race/places.h"

namespace deadheat::analyse {

static constexpr size_t kMaxMeetings = 32;
static constexpr size_t kMaxPerformers = size_t{1} << 16; // of an access: as many as Met can name
static constexpr uint32_t kAllBytes = UINT32_MAX / 2;
static constexpr uint32_t kMaxFarFetched = 48;      // pairs of one variable
static constexpr uint32_t kMaxFarFetchedCopies = 6; // of one variable with copies of what holds it

namespace {

using Locksets = llvm::SmallVector<uint32_t, 8>; // of World::locksets

struct Exclusions {
  Locksets locksA;
  Locksets locksB;
  llvm::SmallVector<Exclusion, 16> table; // [of locksA][of locksB]
  bool isAlwaysLocked = true;

  Exclusion of(uint32_t a, uint32_t b) const {
    size_t row = llvm::find(locksA, a) - locksA.begin();
    size_t column = llvm::find(locksB, b) - locksB.begin();
    return table[row * locksB.size() + column];
  }
};

class Matcher {
public:
  explicit Matcher(const World &world)
      : world_(world), program_(world.environment.program), fields_(world.environment.fields),
        isCrew_(program_.threads.list.size()), places_(program_.pointsTo) {
    for (const auto &[first, crew] : world.crews) isCrew_[first.value()] = crew.size() > 1;
  }

  std::string_view whyNot(const WorldAccess &a, const WorldAccess &b) const {
    if (std::string_view why = whyApart(a, b); !why.empty()) return why;
    std::string_view why;
    return meetings(a, b, why).empty() ? why : std::string_view();
  }

  // A copy comes second: the other one says which variable it is.
  std::optional<RacePair> match(uint32_t a, uint32_t b) const {
    if (isCopy(world_.accesses[a]) && !isCopy(world_.accesses[b])) std::swap(a, b);
    const WorldAccess &accessA = world_.accesses[a];
    const WorldAccess &accessB = world_.accesses[b];
    if (!whyApart(accessA, accessB).empty()) return std::nullopt;
    std::string_view why;
    std::vector<Met> found = meetings(accessA, accessB, why);
    if (found.empty()) return std::nullopt;
    found.shrink_to_fit();
    return RacePair{a, b, isSameName(accessA, accessB), std::move(found)};
  }

  Standing standing(const WorldAccess &a, const WorldAccess &b) const {
    if (!whyApart(a, b).empty()) return Standing::Apart;
    const Exclusions exclusions = exclusionsOf(a, b);
    Standing standing = Standing::Apart;
    const link::ThreadId ownerA = ownerOf(a), ownerB = ownerOf(b);
    for (const Performer &performerA : a.performers)
      for (const Performer &performerB : b.performers) {
        std::string_view why;
        if (!areParallel(performerA, ownerA, performerB, ownerB, why)) continue;
        if (!isStarted(a, performerA, performerB.thread) || !isStarted(b, performerB, performerA.thread)) continue;
        if (exclusions.of(performerA.locks, performerB.locks) != Exclusion::Lock) return Standing::Open;
        standing = Standing::Locked;
      }
    return standing;
  }

private:
  // Why they are no two accesses of the same memory of which one writes; empty: they may be.
  std::string_view whyApart(const WorldAccess &a, const WorldAccess &b) const {
    const Entry &entryA = world_.entryOf(a);
    const Entry &entryB = world_.entryOf(b);
    if (!entryA.traits.write && !entryB.traits.write) return "both read";
    if (entryA.traits.atomic && entryB.traits.atomic) return "both are atomic";
    if (a.isOwn && b.isOwn) return "each call, or each thread, has its own";
    if (fields_.differ(entryA.field, entryB.field)) return "fields of different types";
    if (fields_.areApart(entryA.field, entryB.field)) return "different fields";
    if (disjoint(world_.names.nodes, a.lvalue, reaches(entryA, entryB) ? 0 : entryA.size, b.lvalue,
                 reaches(entryB, entryA) ? 0 : entryB.size))
      return "different memory";
    if (!isSameName(a, b) && !mayAlias(a, entryA, b, entryB)) return "different memory, as points-to tells";
    return {};
  }

  // A text that nothing bounds goes on to other bytes of an array, but not into members.
  static bool reaches(const Entry &text, const Entry &other) {
    return text.traits.range && text.size == 1 && !other.traits.range && other.size == 1 && other.field == 0;
  }

  bool isCopy(const WorldAccess &access) const { return fields_.isSpan(world_.entryOf(access).field); }

  static Locksets locksetsOf(const WorldAccess &access) {
    Locksets found;
    for (const Performer &performer : access.performers)
      if (!llvm::is_contained(found, performer.locks)) found.push_back(performer.locks);
    return found;
  }

  // Names that begin at an object of each call's own say the same of different objects.
  bool isSameName(const WorldAccess &a, const WorldAccess &b) const {
    const bool isSame = a.lvalue.node == b.lvalue.node || isElementBeside(a, b) || isElementBeside(b, a);
    return a.isSyntactic && b.isSyntactic && isSame && !(a.isFromOwn && b.isFromOwn);
  }

  // `p->values[i]` and `p->values[1]`.
  bool isElementBeside(const WorldAccess &chosen, const WorldAccess &other) const {
    const Node &node = world_.names.nodes[chosen.lvalue.node];
    return node.base == other.lvalue.node && isOneOf(chosen, world_.entryOf(chosen), world_.entryOf(other));
  }

  // Points-to takes an element that is chosen for the first one: another that has a number is one of the same array, if both are of the same
  // member, or of no member and as large as each other.
  bool isOneOf(const WorldAccess &chosen, const Entry &entry, const Entry &other) const {
    const Node &node = world_.names.nodes[chosen.lvalue.node];
    if (node.kind != NodeKind::Element || entry.field != other.field) return false;
    return entry.field != 0 || (entry.size == other.size && node.stride == entry.size);
  }

  bool mayAlias(const WorldAccess &a, const Entry &entryA, const WorldAccess &b, const Entry &entryB) const {
    auto bytes = [&](const WorldAccess &access, const Entry &entry, const Entry &other) {
      return isOneOf(access, entry, other) || reaches(entry, other) ? kAllBytes : entry.size;
    };
    const uint32_t sizeA = bytes(a, entryA, entryB), sizeB = bytes(b, entryB, entryA);
    if (places_.mayAlias(a.where, sizeA, b.where, sizeB)) return true;
    const bool isSameField = entryA.field != 0 && entryA.field == entryB.field;
    if (!isSameField && !entryA.traits.range && !entryB.traits.range) return false;
    return (isByNumber(a, entryA) && places_.mayAlias(entryA.where, sizeA, b.where, sizeB)) ||
           (isByNumber(b, entryB) && places_.mayAlias(a.where, sizeA, entryB.where, sizeB));
  }

  // `stores[1]`: its name has the number, where points-to has the first element for all of them.
  bool isByNumber(const WorldAccess &access, const Entry &entry) const {
    return access.where.valid() && entry.where.valid() &&
           !places_.mayAlias(access.where, entry.size, entry.where, entry.size);
  }

  // The thread whose argument the object is, another one for each instance; invalid: it is none.
  link::ThreadId ownerOf(const WorldAccess &access) const {
    NodeId node = access.lvalue.node;
    while (world_.names.nodes[node].kind == NodeKind::Element) node = world_.names.nodes[node].base;
    const Node &row = world_.names.nodes[node];
    if (row.kind != NodeKind::Formal || row.owner == 0 || row.index != 0) return {};
    link::ThreadId owner(row.owner - 1);
    link::DistinctWhy why = program_.threads.list[owner].distinct;
    return why == link::DistinctWhy::Indexed || why == link::DistinctWhy::Allocated ? owner : link::ThreadId();
  }

  // `ownerA`, `ownerB`: of what they access.
  bool areParallel(const Performer &performerA, link::ThreadId ownerA, const Performer &performerB,
                   link::ThreadId ownerB, std::string_view &why) const {
    link::ThreadId threadA = performerA.thread, threadB = performerB.thread;
    why = "each thread has made its own";
    if (performerA.isMade && performerB.isMade) return false;
    if (threadA == threadB) {
      bool isCrew = isCrew_[threadA.value()];
      why = "one thread does both";
      if (!isCrew && !program_.threads.list[threadA].many) return false;
      why = "each thread has its own";
      if (ownerA.valid() && ownerA == ownerB) return false;
      if ((performerA.isOwn || ownerA == threadA) && (performerB.isOwn || ownerB == threadA)) return false;
      if (isCrew) return true;
    }
    why = "the threads never run at the same time";
    return program_.threads.mayRunTogether(threadA, threadB);
  }

  // Each thread, or each call, has another lock of this name: one on its stack, or in what it was started with.
  bool isOwnLock(const WorldAccess &access, NodeId lock) const {
    const Node &node = world_.names.nodes[lock];
    if (node.kind == NodeKind::Global)
      return (program_.variable(link::GlobalId(node.index)).flags & model::kThreadLocal) != 0;
    if (node.kind != NodeKind::Stack && node.kind != NodeKind::Heap) return isDistinctPerThread(world_, lock);
    if (node.kind == NodeKind::Heap && node.index >= kNumbered) return false;
    const link::FuncId maker(node.owner);
    auto makes = [&](const Performer &performer) {
      return std::ranges::binary_search(program_.threads.executing[maker], performer.thread);
    };
    return !isOneAtATime(world_, maker) && std::ranges::all_of(access.performers, makes);
  }

  HeldLocks withoutOwn(const WorldAccess &access, HeldLocks locks) const {
    std::erase_if(locks, [&](const HeldLock &held) {
      const bool isBeside = held.lock.node == access.lvalue.node; // in the object itself: as many locks as objects
      return !isBeside && isOwnLock(access, held.lock.node);
    });
    return locks;
  }

  // Both are of one object that has a name: locks of which each has another one keep nobody out of that.
  bool isOfWhole(const WorldAccess &a, const WorldAccess &b) const {
    return a.lvalue.node == b.lvalue.node && isObject(world_.names.nodes[a.lvalue.node].kind);
  }

  Exclusion exclusionBy(const WorldAccess &a, const HeldLocks &locksA, const WorldAccess &b,
                        const HeldLocks &locksB) const {
    if (locksA.empty() || locksB.empty() || !isOfWhole(a, b)) return exclusionByNames(a, locksA, b, locksB);
    return exclusionByNames(a, withoutOwn(a, locksA), b, withoutOwn(b, locksB));
  }

  // A lock may be known only by the pointer that leads to both.
  Exclusion exclusionByNames(const WorldAccess &a, const HeldLocks &locksA, const WorldAccess &b,
                             const HeldLocks &locksB) const {
    Exclusion found = exclusionOf(world_.names.nodes, a.lvalue, locksA, b.lvalue, locksB);
    if (found == Exclusion::None && a.lvalue != a.path && b.lvalue != b.path)
      found = exclusionOf(world_.names.nodes, a.path, locksA, b.path, locksB);
    return found == Exclusion::None && areKin(world_, locksA, locksB, isSameName(a, b)) ? Exclusion::Kin : found;
  }

  // What keeps them apart, by the locksets under which they are done: performers are many, their locksets few.
  Exclusions exclusionsOf(const WorldAccess &a, const WorldAccess &b) const {
    Exclusions result{locksetsOf(a), locksetsOf(b), {}};
    for (uint32_t locksA : result.locksA)
      for (uint32_t locksB : result.locksB) {
        result.table.push_back(exclusionBy(a, world_.locksets[locksA], b, world_.locksets[locksB]));
        result.isAlwaysLocked &= result.table.back() == Exclusion::Lock;
      }
    return result;
  }

  // Where the function itself starts and joins nobody, it is known from its entry who is live.
  bool isStarted(const WorldAccess &access, const Performer &performer, link::ThreadId other) const {
    const link::Threads &threads = program_.threads;
    if (other == performer.thread || !world_.isFollowed(performer.thread, other)) return true;
    return !threads.changes[access.function].empty() ||
           std::ranges::binary_search(world_.liveSets[performer.live], other);
  }

  std::vector<Met> meetings(const WorldAccess &a, const WorldAccess &b, std::string_view &why) const {
    std::vector<Met> found;
    const Exclusions exclusions = exclusionsOf(a, b);
    if (exclusions.isAlwaysLocked) {
      why = "a common lock";
      return found;
    }
    const link::ThreadId ownerA = ownerOf(a), ownerB = ownerOf(b);
    const size_t countA = std::min(a.performers.size(), kMaxPerformers);
    const size_t countB = std::min(b.performers.size(), kMaxPerformers);
    for (size_t i = 0; i < countA; ++i)
      for (size_t j = 0; j < countB; ++j) {
        if (found.size() == kMaxMeetings) return found;
        const Performer &performerA = a.performers[i], &performerB = b.performers[j];
        if (&a == &b && performerB < performerA) continue;
        if (!areParallel(performerA, ownerA, performerB, ownerB, why)) continue;
        if (!isStarted(a, performerA, performerB.thread) || !isStarted(b, performerB, performerA.thread)) {
          why = "the threads never run at the same time";
          continue;
        }
        Exclusion exclusion = exclusions.of(performerA.locks, performerB.locks);
        if (exclusion == Exclusion::Lock)
          why = "a common lock";
        else
          found.push_back({static_cast<uint16_t>(i), static_cast<uint16_t>(j), exclusion});
      }
    return found;
  }

  const World &world_;
  const link::Program &program_;
  const Fields &fields_;
  std::vector<bool> isCrew_; // [thread]: the first of several
  mutable PlacesCache places_;
};

} // namespace

namespace {

// The pairs of one bucket. Of a variable that is accessed everywhere, a few pairs that are far-fetched are enough: they
// are demoted, and would be most of the work.
class Search {
public:
  Search(const World &world, const Matcher &matcher) : world_(world), matcher_(matcher) {}

  std::vector<RacePair> run(const Bucket &bucket) {
    isLarge_ = isInLargeClass(world_.accesses[bucket.first.front()]);
    const std::vector<Member> first = membersOf(bucket.first), second = membersOf(bucket.second);
    const std::vector<Member> &others = second.empty() ? first : second;
    for (size_t i = 0; i < first.size(); ++i) {
      if (second.empty() && !world_.entryOf(world_.accesses[first[i].access]).traits.write) break;
      for (size_t j = second.empty() ? i : 0; j < others.size(); ++j) {
        if (++comparisons_ > kMaxComparisons) return std::move(found_);
        compare(first[i], others[j]);
      }
    }
    return std::move(found_);
  }

private:
  // What most comparisons ask: they are hundreds of millions, and an access is large.
  struct Member {
    uint32_t access;
    uint32_t variable; // of farFetched_: its field, or else its name
    NodeId name;       // invalid: points-to made it
    bool isFromOwn;
    uint32_t field;
    bool hasField; // one, not what a copy spans
    bool isCopy;
    bool isAtomic;
    bool isOwn;
  };

  // All of a bucket are of one class.
  bool isInLargeClass(const WorldAccess &access) const {
    const link::PointsTo &pointsTo = world_.environment.program.pointsTo;
    return access.where.valid() && pointsTo.classSize(pointsTo.classOf(access.where.node)) > kLargeClass;
  }

  std::vector<Member> membersOf(const std::vector<uint32_t> &accesses) {
    std::vector<Member> members;
    members.reserve(accesses.size());
    for (uint32_t index : accesses) {
      const WorldAccess &access = world_.accesses[index];
      uint32_t field = world_.entryOf(access).field;
      auto key = field != 0 ? std::pair(Address(), field) : std::pair(access.lvalue, 0u);
      uint32_t variable = variables_.try_emplace(key, static_cast<uint32_t>(variables_.size())).first->second;
      bool isCopy = world_.environment.fields.isSpan(field);
      NodeId name = access.isSyntactic ? access.lvalue.node : NodeId();
      members.push_back({index, variable, name, access.isFromOwn, field, field != 0 && !isCopy, isCopy,
                         world_.entryOf(access).traits.atomic, access.isOwn});
    }
    farFetched_.resize(variables_.size());
    return members;
  }

  // What match() would find out first.
  bool areApart(const Member &a, const Member &b) const {
    const Fields &fields = world_.environment.fields;
    return (a.isAtomic && b.isAtomic) || (a.isOwn && b.isOwn) || fields.differ(a.field, b.field) ||
           fields.areApart(a.field, b.field);
  }

  void compare(const Member &a, const Member &b) {
    // Points-to alone says that they may be the same, and it takes many objects for one another.
    const bool isSameName = a.name.valid() && a.name == b.name && !(a.isFromOwn && b.isFromOwn);
    bool isFarFetched = isLarge_ && !isSameName;
    uint32_t &count = farFetched_[!a.hasField && b.hasField ? b.variable : a.variable];
    if (isFarFetched && count >= (a.isCopy || b.isCopy ? kMaxFarFetchedCopies : kMaxFarFetched)) return;
    if (areApart(a, b)) return;
    std::optional<RacePair> pair = matcher_.match(a.access, b.access);
    if (!pair) return;
    count += isFarFetched;
    found_.push_back(std::move(*pair));
  }

  const World &world_;
  const Matcher &matcher_;
  bool isLarge_ = false;
  std::vector<RacePair> found_;
  std::map<std::pair<Address, uint32_t>, uint32_t> variables_;
  std::vector<uint32_t> farFetched_; // [variable]: pairs found
  uint64_t comparisons_ = 0;
};

} // namespace

Meeting meetingOf(const World &world, const RacePair &pair, const Met &met) {
  return {world.accesses[pair.a].performers[met.a], world.accesses[pair.b].performers[met.b], met.exclusion};
}

std::vector<RacePair> racingPairs(const World &world) {
  Buckets buckets = bucketsOf(world);
  std::vector<std::vector<RacePair>> found(buckets.list.size());
  oneapi::tbb::enumerable_thread_specific<Matcher> matchers([&] { return Matcher(world); });
  oneapi::tbb::parallel_for(size_t(0), buckets.list.size(), [&](size_t bucket) {
    found[bucket] = Search(world, matchers.local()).run(buckets.list[bucket]);
  });
  std::vector<RacePair> all;
  for (std::vector<RacePair> &some : found) std::ranges::move(some, std::back_inserter(all));
  return all;
}

class Standings::Impl : public Matcher {
public:
  using Matcher::Matcher;
};

Standings::Standings(const World &world) : impl_(std::make_unique<Impl>(world)) {}
Standings::~Standings() = default;
Standing Standings::of(const WorldAccess &a, const WorldAccess &b) const { return impl_->standing(a, b); }

std::string_view whyNoRace(const World &world, const WorldAccess &a, const WorldAccess &b) {
  return Matcher(world).whyNot(a, b);
}

} // namespace deadheat::analyse
