#include "extract/types.h"

#include "llvm/BinaryFormat/Dwarf.h"

namespace deadheat::extract {

using llvm::dyn_cast;
using llvm::dyn_cast_or_null;
namespace dwarf = llvm::dwarf;

namespace {

bool isTransparent(unsigned tag) {
  switch (tag) {
  case dwarf::DW_TAG_typedef:
  case dwarf::DW_TAG_const_type:
  case dwarf::DW_TAG_volatile_type:
  case dwarf::DW_TAG_restrict_type:
  case dwarf::DW_TAG_atomic_type:
  case dwarf::DW_TAG_immutable_type:
  case dwarf::DW_TAG_template_alias: return true;
  default: return false;
  }
}

bool isPointer(unsigned tag) {
  return tag == dwarf::DW_TAG_pointer_type || tag == dwarf::DW_TAG_reference_type ||
         tag == dwarf::DW_TAG_rvalue_reference_type;
}

const char *keyword(const llvm::DICompositeType &type) {
  switch (type.getTag()) {
  case dwarf::DW_TAG_structure_type: return "struct ";
  case dwarf::DW_TAG_union_type: return "union ";
  default: return "";
  }
}

// In C++ a class is named without keyword and with its namespaces.
std::string compositeName(const llvm::DICompositeType &type) {
  bool isCpp = !type.getIdentifier().empty();
  if (!isCpp) return keyword(type) + type.getName().str();
  std::string name = type.getName().str();
  for (const llvm::DIScope *scope = type.getScope(); scope && !llvm::isa<llvm::DIFile>(scope); scope = scope->getScope())
    if (!scope->getName().empty()) name = scope->getName().str() + "::" + name;
  return name;
}

bool covers(const llvm::DIDerivedType &member, uint64_t offset) {
  uint64_t begin = member.getOffsetInBits() / 8;
  uint64_t bytes = (member.getOffsetInBits() % 8 + member.getSizeInBits() + 7) / 8;
  if (!member.isBitField()) bytes = sizeInBytes(member.getBaseType());
  return offset >= begin && offset < begin + bytes;
}

} // namespace

const llvm::DIType *plainType(const llvm::DIType *type) {
  while (const auto *derived = dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    if (!isTransparent(derived->getTag())) break;
    type = derived->getBaseType();
  }
  return type;
}

const llvm::DIType *pointee(const llvm::DIType *type) {
  const auto *derived = dyn_cast_or_null<llvm::DIDerivedType>(plainType(type));
  return derived && isPointer(derived->getTag()) ? derived->getBaseType() : nullptr;
}

bool isReference(const llvm::DIType *type) {
  const llvm::DIType *plain = plainType(type);
  return plain && plain->getTag() != dwarf::DW_TAG_pointer_type;
}

uint64_t sizeInBytes(const llvm::DIType *type) {
  const llvm::DIType *plain = plainType(type);
  return plain ? plain->getSizeInBits() / 8 : 0;
}

std::string typeName(const llvm::DIType *type) {
  std::string alias;
  for (; type; type = llvm::cast<llvm::DIDerivedType>(type)->getBaseType()) {
    const auto *derived = dyn_cast<llvm::DIDerivedType>(type);
    if (!derived || !isTransparent(derived->getTag())) break;
    if (alias.empty()) alias = derived->getName().str();
  }
  if (!type) return alias.empty() ? "void" : alias;
  if (const llvm::DIType *target = pointee(type)) return typeName(target) + (isReference(type) ? " &" : " *");
  if (const auto *composite = dyn_cast<llvm::DICompositeType>(type)) {
    if (composite->getTag() == dwarf::DW_TAG_array_type) return typeName(composite->getBaseType()) + "[]";
    return composite->getName().empty() ? alias : compositeName(*composite);
  }
  return type->getName().str();
}

const llvm::DIDerivedType *memberAt(const llvm::DICompositeType &composite, uint64_t offset, uint64_t size) {
  const llvm::DIDerivedType *best = nullptr;
  for (const llvm::DINode *element : composite.getElements()) {
    const auto *member = dyn_cast<llvm::DIDerivedType>(element);
    bool isPart = member && (member->getTag() == dwarf::DW_TAG_member || member->getTag() == dwarf::DW_TAG_inheritance);
    if (!isPart || member->isStaticMember() || !covers(*member, offset)) continue;
    bool fits = sizeInBytes(member->getBaseType()) == size;
    if (!best || (fits && sizeInBytes(best->getBaseType()) != size)) best = member;
  }
  return best;
}

} // namespace deadheat::extract
