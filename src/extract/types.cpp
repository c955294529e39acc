#include "extract/types.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"

namespace deadheat::extract {

using llvm::dyn_cast;
using llvm::dyn_cast_or_null;
namespace dwarf = llvm::dwarf;

namespace {

constexpr unsigned kTransparent[] = {
    dwarf::DW_TAG_typedef,     dwarf::DW_TAG_const_type,     dwarf::DW_TAG_volatile_type, dwarf::DW_TAG_restrict_type,
    dwarf::DW_TAG_atomic_type, dwarf::DW_TAG_immutable_type, dwarf::DW_TAG_template_alias};

bool isTransparent(const llvm::DIDerivedType &type) { return llvm::is_contained(kTransparent, type.getTag()); }

bool hasTag(const llvm::DIType *type, unsigned tag) { return type && type->getTag() == tag; }

const llvm::DICompositeType *arrayOf(const llvm::DIType *type) {
  const llvm::DIType *plain = plainType(type);
  return hasTag(plain, dwarf::DW_TAG_array_type) ? llvm::cast<llvm::DICompositeType>(plain) : nullptr;
}

// In C++ a class is named without keyword and with its namespaces; in C a record has neither namespace nor mangled
// name, nor a way to be passed. A class with virtual functions may have no mangled name either.
std::string compositeName(const llvm::DICompositeType &type) {
  std::string prefix = scopePrefix(type.getScope());
  constexpr auto kCppFlags =
      llvm::DINode::FlagTypePassByValue | llvm::DINode::FlagTypePassByReference | llvm::DINode::FlagNonTrivial;
  bool isCpp = !prefix.empty() || !type.getIdentifier().empty() || type.getTag() == dwarf::DW_TAG_class_type ||
               (type.getFlags() & kCppFlags);
  if (isCpp) return prefix + type.getName().str();
  return (type.getTag() == dwarf::DW_TAG_union_type ? "union " : "struct ") + type.getName().str();
}

// A closure has no name in debug info: it is called like its call operator, whose linkage name says which one of its function it is.
std::string closureName(const llvm::DICompositeType &type) {
  constexpr llvm::StringRef kOperator = "::operator()";
  for (const llvm::DINode *node : type.getElements()) {
    const auto *method = dyn_cast<llvm::DISubprogram>(node);
    if (!method || method->getName() != kOperator.substr(2)) continue;
    std::string name = llvm::demangle(method->getLinkageName());
    if (size_t end = llvm::StringRef(name).rfind(kOperator); end != llvm::StringRef::npos) return name.substr(0, end);
  }
  return "(lambda)";
}

constexpr size_t kNamedMembers = 4; // of a record without a name

bool isPart(const llvm::DINode &node) {
  const auto *member = dyn_cast<llvm::DIDerivedType>(&node);
  if (!member || member->isStaticMember()) return false;
  return member->getTag() == dwarf::DW_TAG_member || member->getTag() == dwarf::DW_TAG_inheritance;
}

// A record without data: C++ gives it a byte, but nothing is ever accessed there.
bool isHollow(const llvm::DIType *type) {
  const llvm::DICompositeType *record = recordOf(type);
  if (!record) return false;
  return llvm::none_of(record->getElements(), [](const llvm::DINode *node) {
    return isPart(*node) && !isHollow(llvm::cast<llvm::DIDerivedType>(node)->getBaseType());
  });
}

bool isTail(const llvm::DIDerivedType &member) {
  ArrayShape shape = arrayShape(member.getBaseType());
  return shape.element && shape.dimensions.front().count <= 1;
}

bool covers(const llvm::DIDerivedType &member, uint64_t offset, bool isLast) {
  uint64_t begin = member.getOffsetInBits() / 8;
  if (offset < begin) return false;
  if (isLast && isTail(member)) return true;
  uint64_t bytes = member.isBitField() ? (member.getOffsetInBits() % 8 + member.getSizeInBits() + 7) / 8
                                       : sizeInBytes(member.getBaseType());
  return offset < begin + bytes;
}

Form formOf(const llvm::DIType *type) {
  const llvm::DIType *plain = plainType(type);
  if (hasTag(plain, dwarf::DW_TAG_pointer_type) || isReference(plain)) return Form::Pointer;
  const auto *basic = dyn_cast_or_null<llvm::DIBasicType>(plain);
  return basic && basic->getEncoding() == dwarf::DW_ATE_float ? Form::Float : Form::Integer;
}

// How well the member explains an access at `offset`: by its innermost part best, and rather too large than too small.
int fitness(const llvm::DIDerivedType &member, uint64_t offset, const Wanted &wanted) {
  const llvm::DIType *type = member.getBaseType();
  if (isHollow(type)) return 0;
  uint64_t inner = offset - member.getOffsetInBits() / 8, bytes = sizeInBytes(type);
  if (const llvm::DICompositeType *record = recordOf(type))
    if (auto parts = membersAt(*record, inner, wanted); !parts.empty()) return fitness(*parts.front(), inner, wanted);
  if (ArrayShape shape = arrayShape(type); shape.element) bytes = sizeInBytes(shape.element), type = shape.element;
  if (bytes == wanted.size) return formOf(type) == wanted.form ? 4 : 3;
  return bytes > wanted.size ? 2 : 1;
}

} // namespace

const llvm::DIType *plainType(const llvm::DIType *type) {
  while (const auto *derived = dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    if (!isTransparent(*derived)) break;
    type = derived->getBaseType();
  }
  return type;
}

bool isClosure(const llvm::DIType *type) { return hasTag(type, dwarf::DW_TAG_class_type) && type->getName().empty(); }

bool isReference(const llvm::DIType *type) {
  const llvm::DIType *plain = plainType(type);
  return hasTag(plain, dwarf::DW_TAG_reference_type) || hasTag(plain, dwarf::DW_TAG_rvalue_reference_type);
}

const llvm::DIType *pointee(const llvm::DIType *type) {
  const llvm::DIType *plain = plainType(type);
  if (!isReference(plain) && !hasTag(plain, dwarf::DW_TAG_pointer_type)) return nullptr;
  return llvm::cast<llvm::DIDerivedType>(plain)->getBaseType();
}

uint64_t sizeInBytes(const llvm::DIType *type) {
  const llvm::DIType *plain = plainType(type);
  return plain ? plain->getSizeInBits() / 8 : 0;
}

std::string typeName(const llvm::DIType *type) {
  std::string alias;
  for (; type; type = llvm::cast<llvm::DIDerivedType>(type)->getBaseType()) {
    const auto *derived = dyn_cast<llvm::DIDerivedType>(type);
    if (!derived || !isTransparent(*derived)) break;
    if (alias.empty()) alias = derived->getName().str();
  }
  if (!type) return alias.empty() ? "void" : alias;
  if (isReference(type)) return typeName(pointee(type)) + " &";
  if (hasTag(type, dwarf::DW_TAG_pointer_type)) return typeName(pointee(type)) + " *";
  if (hasTag(type, dwarf::DW_TAG_subroutine_type)) return alias.empty() ? "function" : alias;
  if (const llvm::DICompositeType *array = arrayOf(type)) return typeName(array->getBaseType()) + "[]";
  if (type->getName().empty()) return isClosure(type) ? closureName(llvm::cast<llvm::DICompositeType>(*type)) : alias;
  if (const auto *composite = dyn_cast<llvm::DICompositeType>(type);
      composite && composite->getTag() != dwarf::DW_TAG_enumeration_type)
    return compositeName(*composite);
  return type->getName().str();
}

std::string nameByMembers(const llvm::DICompositeType &record) {
  std::string members;
  size_t count = 0;
  for (const llvm::DINode *node : record.getElements()) {
    const auto *member = dyn_cast<llvm::DIDerivedType>(node);
    if (!member || member->getTag() != dwarf::DW_TAG_member || member->getName().empty()) continue;
    if (++count <= kNamedMembers) members += (members.empty() ? "" : ", ") + member->getName().str();
  }
  if (count == 0) return {};
  if (count > kNamedMembers) members += ", ...";
  return (record.getTag() == dwarf::DW_TAG_union_type ? "union {" : "struct {") + members + "}";
}

std::string scopePrefix(const llvm::DIScope *scope) {
  std::string prefix;
  for (; scope; scope = scope->getScope())
    if (llvm::isa<llvm::DINamespace, llvm::DICompositeType>(scope) && !scope->getName().empty())
      prefix = scope->getName().str() + "::" + prefix;
  return prefix;
}

const llvm::DICompositeType *recordOf(const llvm::DIType *type) {
  const auto *composite = dyn_cast_or_null<llvm::DICompositeType>(plainType(type));
  if (!composite || composite->isForwardDecl()) return nullptr;
  unsigned tag = composite->getTag();
  bool isRecord =
      tag == dwarf::DW_TAG_structure_type || tag == dwarf::DW_TAG_class_type || tag == dwarf::DW_TAG_union_type;
  return isRecord ? composite : nullptr;
}

ArrayShape arrayShape(const llvm::DIType *type) {
  const llvm::DICompositeType *array = arrayOf(type);
  if (!array) return {};
  ArrayShape shape{array->getBaseType(), {}};
  uint64_t stride = sizeInBytes(shape.element);
  llvm::DINodeArray ranges = array->getElements();
  for (unsigned i = ranges.size(); i-- > 0;) {
    const auto *range = dyn_cast<llvm::DISubrange>(ranges[i]);
    auto *count = range ? dyn_cast_if_present<llvm::ConstantInt *>(range->getCount()) : nullptr;
    uint64_t elements = count && !count->isMinusOne() ? count->getZExtValue() : 0;
    shape.dimensions.insert(shape.dimensions.begin(), {stride, elements});
    stride *= elements;
  }
  return shape.dimensions.empty() ? ArrayShape{} : shape;
}

llvm::SmallVector<const llvm::DIDerivedType *, 1> membersAt(const llvm::DICompositeType &record, uint64_t offset,
                                                            const Wanted &wanted) {
  llvm::SmallVector<const llvm::DIDerivedType *, 16> parts;
  for (const llvm::DINode *node : record.getElements())
    if (isPart(*node)) parts.push_back(llvm::cast<llvm::DIDerivedType>(node));
  llvm::SmallVector<const llvm::DIDerivedType *, 1> best;
  int bestFitness = -1;
  for (const llvm::DIDerivedType *part : parts) {
    if (!covers(*part, offset, part == parts.back())) continue;
    int fit = fitness(*part, offset, wanted);
    if (fit > bestFitness) best.clear();
    bestFitness = std::max(fit, bestFitness);
    if (fit == bestFitness) best.push_back(part);
  }
  if (record.getTag() != dwarf::DW_TAG_union_type && best.size() > 1) best.resize(1);
  return best;
}

} // namespace deadheat::extract
