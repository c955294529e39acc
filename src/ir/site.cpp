#include "ir/site.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

#include "support/error.h"

namespace deadheat::ir {

using model::AccessKind;
using model::Origin;
using model::SiteId;

namespace {

constexpr char kMetadataName[] = "deadheat.site";

// More candidates than this say nothing: the late access then counts as untraced.
constexpr size_t kMaxMerged = 16;

// Uses of an address that are looked at for one that has a line.
constexpr unsigned kMaxUses = 64;

bool readsToo(AccessKind kind) { return kind == AccessKind::AtomicUpdate; }

const llvm::DISubprogram *functionOf(const llvm::DILocation *location) { return location->getScope()->getSubprogram(); }

llvm::Metadata *siteNode(llvm::LLVMContext &context, SiteId site) {
  auto *type = llvm::Type::getInt32Ty(context);
  return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(type, site.value()));
}

void finish(Traced &traced, Origin origin) {
  traced.origin = origin;
  llvm::sort(traced.sites);
  traced.sites.erase(llvm::unique(traced.sites), traced.sites.end());
}

} // namespace

SiteId numberOf(const llvm::Instruction &instruction, uint8_t part) {
  const llvm::MDNode *node = instruction.getMetadata(kMetadataName);
  if (!node || part >= node->getNumOperands() || !node->getOperand(part)) return {};
  auto *constant = llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(part));
  return SiteId(static_cast<uint32_t>(constant->getZExtValue()));
}

SiteIndex::Place SiteIndex::PlaceInfo::getEmptyKey() {
  return {llvm::DenseMapInfo<const llvm::DISubprogram *>::getEmptyKey(), 0, 0, false};
}
SiteIndex::Place SiteIndex::PlaceInfo::getTombstoneKey() {
  return {llvm::DenseMapInfo<const llvm::DISubprogram *>::getTombstoneKey(), 0, 0, false};
}
unsigned SiteIndex::PlaceInfo::getHashValue(const Place &place) {
  return llvm::hash_combine(place.function, place.line, place.column, place.write);
}
bool SiteIndex::PlaceInfo::isEqual(const Place &left, const Place &right) {
  return left.function == right.function && left.line == right.line && left.column == right.column &&
         left.write == right.write;
}

// A copy has two sites on one instruction: the node's operand `part` is the site of that part, and an earlier part that
// is no access (a private slot) has an empty place.
void SiteIndex::number(const Access &access, SiteId site) {
  llvm::Instruction &instruction = *access.instruction;
  llvm::LLVMContext &context = instruction.getContext();
  llvm::SmallVector<llvm::Metadata *, 2> parts;
  if (llvm::MDNode *node = instruction.getMetadata(kMetadataName)) parts.append(node->op_begin(), node->op_end());
  while (parts.size() <= access.part) parts.push_back(nullptr);
  parts[access.part] = siteNode(context, site);
  instruction.setMetadata(kMetadataName, llvm::MDNode::get(context, parts));
  if (const llvm::DILocation *location = instruction.getDebugLoc()) rememberPlace(location, access, site);
  rememberSpot(access, site);
}

void SiteIndex::rememberPlace(const llvm::DILocation *location, const Access &access, SiteId site) {
  auto rememberDirection = [&](bool write) {
    const llvm::DISubprogram *function = functionOf(location);
    Numbered numbered{site, access.size};
    places_[{function, location->getLine(), location->getColumn(), write}].push_back(numbered);
    if (location->getColumn() != 0) places_[{function, location->getLine(), 0, write}].push_back(numbered);
    if (location->getLine() != 0) places_[{function, 0, 0, write}].push_back(numbered);
  };
  rememberDirection(isWrite(access.kind));
  if (readsToo(access.kind)) rememberDirection(false);
}

SiteIndex::Spot SiteIndex::spotOf(const Access &access) {
  if (!access.address || !access.address->getType()->isPointerTy()) return {};
  int64_t offset = 0;
  const llvm::DataLayout &layout = access.instruction->getModule()->getDataLayout();
  const llvm::Value *base = llvm::GetPointerBaseWithConstantOffset(access.address, offset, layout);
  return {base, offset, access.size, isWrite(access.kind)};
}

void SiteIndex::rememberSpot(const Access &access, SiteId site) {
  Spot spot = spotOf(access);
  BaseInFunction key(access.instruction->getFunction(), spot.base);
  DEADHEAT_CHECK(site.value() == spots_.size());
  spots_.push_back({key, spot});
  if (spot.base) neighbours_[key].push_back(site);
}

bool SiteIndex::traceByMetadata(const Access &late, Traced &traced) const {
  SiteId site = numberOf(*late.instruction, late.part);
  if (!site.valid()) return false;
  traced.sites.push_back(site);
  finish(traced, Origin::Metadata);
  return true;
}

// Candidates of the late access's own size are preferred: a macro may put many accesses into one place.
bool SiteIndex::traceByPlace(const Place &place, uint32_t size, Origin origin, Traced &traced) const {
  auto found = places_.find(place);
  if (found == places_.end()) return false;
  for (const Numbered &numbered : found->second)
    if (numbered.size == size) traced.sites.push_back(numbered.site);
  if (traced.sites.empty() && origin != Origin::Merged)
    for (const Numbered &numbered : found->second) traced.sites.push_back(numbered.site);
  if (origin == Origin::Merged && traced.sites.size() > kMaxMerged) traced.sites.clear();
  if (traced.sites.empty()) return false;
  finish(traced, origin);
  return true;
}

// The same bytes of an argument or global: those stay what they were, while other values may have been replaced.
bool SiteIndex::traceBySpot(const Access &late, Traced &traced) const {
  Spot spot = spotOf(late);
  if (!llvm::isa_and_nonnull<llvm::Argument, llvm::GlobalVariable>(spot.base)) return false;
  auto found = neighbours_.find({late.instruction->getFunction(), spot.base});
  if (found == neighbours_.end()) return false;
  for (SiteId site : found->second) {
    const Spot &early = spots_[site.value()].second;
    if (early.offset == spot.offset && early.size == spot.size && early.write == spot.write)
      traced.sites.push_back(site);
  }
  if (traced.sites.empty()) return false;
  finish(traced, Origin::Merged);
  return true;
}

// Without a line all of the function are candidates. Where the address is one of a few globals, accesses of others are none.
void SiteIndex::keepSameGlobals(const Access &late, Traced &traced) const {
  llvm::SmallVector<const llvm::Value *, 4> objects;
  if (late.address && late.address->getType()->isPointerTy()) llvm::getUnderlyingObjects(late.address, objects);
  if (objects.empty() || !llvm::all_of(objects, [](const auto *each) { return llvm::isa<llvm::GlobalVariable>(each); }))
    return;
  llvm::erase_if(traced.sites,
                 [&](SiteId site) { return !llvm::is_contained(objects, spots_[site.value()].second.base); });
}

bool SiteIndex::traceByLocation(const llvm::DILocation &location, const Access &late, Traced &traced) const {
  const llvm::DISubprogram *function = functionOf(&location);
  bool write = isWrite(late.kind);
  uint32_t line = location.getLine();
  if (line == 0) {
    if (!traceByPlace({function, 0, 0, write}, late.size, Origin::Merged, traced)) return false;
    keepSameGlobals(late, traced);
    return !traced.sites.empty();
  }
  return traceByPlace({function, line, location.getColumn(), write}, late.size, Origin::Location, traced) ||
         traceByPlace({function, line, 0, write}, late.size, Origin::Line, traced);
}

// What is moved out of the code of two inlined functions has the line of neither. Where the same address is accessed in
// a place that has a line, the sites of that line are candidates.
bool SiteIndex::traceByOtherUses(const Access &late, Traced &traced) const {
  if (!late.address) return false;
  unsigned looked = 0;
  for (const llvm::User *user : late.address->users()) {
    if (++looked > kMaxUses) break;
    const auto *other = llvm::dyn_cast<llvm::Instruction>(user);
    if (!other || llvm::getLoadStorePointerOperand(other) != late.address) continue;
    const llvm::DILocation *location = other->getDebugLoc();
    if (!location || location->getLine() == 0 || other->getFunction() != late.instruction->getFunction()) continue;
    Traced there;
    Place line{functionOf(location), location->getLine(), 0, isWrite(late.kind)};
    if (traceByPlace(line, late.size, Origin::Merged, there)) traced.sites.append(there.sites);
  }
  if (traced.sites.empty() || traced.sites.size() > kMaxMerged) return false;
  finish(traced, Origin::Merged);
  return true;
}

Traced SiteIndex::find(const Access &late) const {
  Traced traced;
  if (traceByMetadata(late, traced)) return traced;
  const llvm::DILocation *location = late.instruction->getDebugLoc();
  bool hasLine = location && location->getLine() != 0;
  if (!hasLine && traceBySpot(late, traced)) return traced;
  if (location && traceByLocation(*location, late, traced)) return traced;
  traced.sites.clear();
  if (!hasLine && traceByOtherUses(late, traced)) return traced;
  traced.sites.clear();
  traced.origin = !location ? Origin::NoLocation : hasLine ? Origin::NoEarlySite : Origin::LineZero;
  return traced;
}

// The bytes of the late access begin where its address says, if that still has the early base, else with the early
// access.
void SiteIndex::addNeighbours(const Access &late, Traced &traced) const {
  llvm::SmallVector<SiteId, 2> found = traced.sites;
  Spot lateSpot = spotOf(late);
  for (SiteId site : found) {
    const auto &[key, spot] = spots_[site.value()];
    if (!spot.base || spot.size == 0 || late.size <= spot.size) continue;
    int64_t begin = lateSpot.base == spot.base ? lateSpot.offset : spot.offset;
    if (spot.offset < begin || spot.offset >= begin + late.size) begin = spot.offset;
    for (SiteId other : neighbours_.find(key)->second) {
      const Spot &neighbour = spots_[other.value()].second;
      bool isInside = neighbour.offset >= begin && neighbour.offset + neighbour.size <= begin + late.size;
      if (isInside && neighbour.size && neighbour.write == spot.write) traced.sites.push_back(other);
    }
  }
  finish(traced, traced.origin);
}

Traced SiteIndex::trace(const Access &late) const {
  Traced traced = find(late);
  if (model::isMapped(traced.origin) && late.size) addNeighbours(late, traced);
  return traced;
}

} // namespace deadheat::ir
