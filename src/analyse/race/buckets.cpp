#include "analyse/race/buckets.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <unordered_map>

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace deadheat::analyse {

// Two accesses of which one has made it and the other not differ for the filters; in a function that starts or joins
// threads, it matters where the access stands.
static uint32_t standing(const World &world, const WorldAccess &access) {
  const Node &root = world.names.nodes[world.names.nodes.root(access.lvalue.node)];
  bool isMaker = root.kind == NodeKind::Heap && root.owner == access.function.value();
  bool changes = !world.environment.program.threads.changes[access.function].empty();
  return changes ? access.function.value() : isMaker ? UINT32_MAX : UINT32_MAX - 1;
}

// Each is a twin of the first that is like it, whatever the hashes are.
void findTwins(World &world) {
  auto signatureOf = [&](uint32_t index) {
    const WorldAccess &access = world.accesses[index];
    const Entry &entry = world.entryOf(access);
    return std::tuple(access.lvalue, access.path, access.container, access.where, entry.field, entry.size, entry.traits,
                      standing(world, access), access.isSyntactic, access.isOwn, access.isFromOwn,
                      access.performers.data());
  };
  auto hashOf = [&](uint32_t index) {
    const WorldAccess &access = world.accesses[index];
    return static_cast<size_t>(llvm::hash_combine(
        access.lvalue.node.value(), access.lvalue.offset, access.where.node.value(), access.where.offset,
        world.entryOf(access).field, world.entryOf(access).size, standing(world, access), access.performers.data()));
  };
  world.twins.assign(world.accesses.size(), {});
  std::unordered_map<size_t, llvm::SmallVector<uint32_t, 1>> firsts; // [hash]
  firsts.reserve(world.accesses.size());
  for (uint32_t i = 0; i < world.accesses.size(); ++i) {
    llvm::SmallVector<uint32_t, 1> &alike = firsts[hashOf(i)];
    auto signature = signatureOf(i);
    auto first = llvm::find_if(alike, [&](uint32_t other) { return signatureOf(other) == signature; });
    uint32_t standsFor = first != alike.end() ? *first : i;
    if (standsFor == i) alike.push_back(i);
    world.twins[standsFor].push_back(i);
  }
}

namespace {

// One class of points-to.
class ClassBuckets {
public:
  ClassBuckets(const World &world, Buckets &into) : world_(world), fields_(world.environment.fields), into_(into) {}

  void run(const std::vector<uint32_t> &members) {
    ByType byType, copies; // of holders; 0: has no field
    for (uint32_t member : members) {
      uint32_t field = fieldOf(member);
      (fields_.isSpan(field) ? copies : byType)[fields_.holder(field)].push_back(member);
    }
    std::vector<uint32_t> loose = std::move(byType[0]);
    byType.erase(0);
    for (const auto &[type, ofType] : byType)
      if (ofType.size() <= kMaxAcross)
        add(ofType, {});
      else
        splitByField(ofType);
    for (const auto &[type, ofType] : copies) compareCopies(ofType, type, byType, copies);
    size_t typed = members.size() - loose.size();
    if (loose.empty()) return;
    if (loose.size() <= kMaxAcross)
      add(loose, {});
    else
      splitByName(loose);
    if (loose.size() * typed > kMaxMixed)
      into_.left += loose.size() * typed;
    else
      for (const ByType *both : {&byType, &copies})
        for (const auto &[type, ofType] : *both) add(loose, ofType);
  }

private:
  using ByType = std::map<uint32_t, std::vector<uint32_t>>;

  // A copy touches the fields of its type, those of types inside, and what other copies do.
  void compareCopies(const std::vector<uint32_t> &some, uint32_t type, const ByType &byType, const ByType &copies) {
    add(some, {});
    addMixed(some, byType, type);
    for (uint32_t inner : fields_.inside(type)) {
      addMixed(some, byType, inner);
      addMixed(some, copies, inner);
    }
  }

  void addMixed(const std::vector<uint32_t> &some, const ByType &from, uint32_t type) {
    auto others = from.find(type);
    if (others == from.end()) return;
    if (uint64_t product = some.size() * others->second.size(); product > kMaxMixed)
      into_.left += product;
    else
      add(some, others->second);
  }

  uint32_t fieldOf(uint32_t member) const { return world_.entryOf(world_.accesses[member]).field; }
  bool writes(uint32_t member) const { return world_.entryOf(world_.accesses[member]).traits.write; }

  void splitByField(const std::vector<uint32_t> &ofType) {
    std::map<uint32_t, std::vector<uint32_t>> byField;
    for (uint32_t member : ofType) byField[fieldOf(member)].push_back(member);
    for (const auto &[field, ofField] : byField) {
      add(ofField, {});
      into_.left += ofField.size() * (ofType.size() - ofField.size()) / 2;
    }
  }

  void splitByName(const std::vector<uint32_t> &loose) {
    std::map<std::pair<bool, uint32_t>, std::vector<uint32_t>> byName;
    for (uint32_t member : loose) {
      const WorldAccess &access = world_.accesses[member];
      uint32_t name = access.isSyntactic ? access.lvalue.node.value() : access.where.node.value();
      byName[{access.isSyntactic, name}].push_back(member);
    }
    for (const auto &[name, ofName] : byName) {
      add(ofName, {});
      into_.left += ofName.size() * (loose.size() - ofName.size()) / 2;
    }
  }

  void add(std::vector<uint32_t> first, const std::vector<uint32_t> &second) {
    auto writesAny = [&](const std::vector<uint32_t> &some) {
      return std::ranges::any_of(some, [&](uint32_t member) { return writes(member); });
    };
    if (!writesAny(first) && !writesAny(second)) return;
    std::ranges::sort(first, {}, [&](uint32_t member) { return std::pair(!writes(member), member); });
    into_.list.push_back({std::move(first), second});
  }

  const World &world_;
  const Fields &fields_;
  Buckets &into_;
};

} // namespace

Buckets bucketsOf(const World &world) {
  std::map<uint32_t, std::vector<uint32_t>> byClass;
  for (uint32_t i = 0; i < world.accesses.size(); ++i) {
    if (world.twins[i].empty()) continue;
    link::Location where = world.accesses[i].where;
    byClass[where.valid() ? world.environment.program.pointsTo.classOf(where.node).value() : UINT32_MAX].push_back(i);
  }
  Buckets buckets;
  for (const auto &[key, members] : byClass) ClassBuckets(world, buckets).run(members);
  return buckets;
}

} // namespace deadheat::analyse
