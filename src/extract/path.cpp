#include "extract/path.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include "extract/types.h"

namespace deadheat::extract {

using llvm::dyn_cast;
using llvm::dyn_cast_or_null;
using llvm::isa;

namespace {

constexpr unsigned kMaxDepth = 8;     // loads on the way from a variable to the access
constexpr size_t kMaxText = 160;      // characters: a longer path is cut, with a mark
constexpr char kUnknown[] = "?";

bool isArray(const llvm::DIType *type) { return type && type->getTag() == llvm::dwarf::DW_TAG_array_type; }

const llvm::DICompositeType *recordOf(const llvm::DIType *type) {
  const auto *composite = dyn_cast_or_null<llvm::DICompositeType>(plainType(type));
  return composite && !isArray(composite) && !composite->getElements().empty() ? composite : nullptr;
}

const llvm::DIType *returnType(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  const llvm::DISubprogram *subprogram = callee ? callee->getSubprogram() : nullptr;
  if (!subprogram || !subprogram->getType()) return nullptr;
  llvm::DITypeRefArray types = subprogram->getType()->getTypeArray();
  return types && types.size() ? types[0] : nullptr;
}

std::string calleeName(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee) return std::string(kUnknown) + "()";
  const llvm::DISubprogram *subprogram = callee->getSubprogram();
  return (subprogram ? subprogram->getName() : callee->getName()).str() + "()";
}

} // namespace

PathNamer::PathNamer(const llvm::Function &function) : layout_(function.getParent()->getDataLayout()) {}

AccessPath PathNamer::name(const ir::Access &access) {
  if (!access.address || !access.address->getType()->isPointerTy()) return {};
  bool scalar = !ir::isRange(access.kind);
  Place place = placeOf(access.address, scalar ? access.size : 0, 0);
  std::string &text = place.expression.text;
  if (text.size() > kMaxText) text = text.substr(0, kMaxText) + "...";
  return {std::move(text), std::move(place.holder), std::move(place.field)};
}

// The source variable whose value this is, if debug info says so.
PathNamer::Expression PathNamer::variableOf(const llvm::Value *value) const {
  if (isa<llvm::Constant>(value)) return {};
  auto *mutableValue = const_cast<llvm::Value *>(value);
  for (llvm::DbgVariableRecord *record : llvm::findDVRDeclares(mutableValue))
    if (record->getExpression()->getNumElements() == 0) return {record->getVariable()->getName().str(), record->getVariable()->getType()};
  llvm::SmallVector<llvm::DbgValueInst *, 1> old;
  llvm::SmallVector<llvm::DbgVariableRecord *, 4> records;
  llvm::findDbgValues(old, mutableValue, &records);
  for (llvm::DbgVariableRecord *record : records)
    if (record->getExpression()->getNumElements() == 0 && !record->getDebugLoc().getInlinedAt())
      return {record->getVariable()->getName().str(), record->getVariable()->getType()};
  return {};
}

PathNamer::Expression PathNamer::valueOf(const llvm::Value *value, unsigned depth) {
  if (depth > kMaxDepth) return {kUnknown, nullptr};
  if (auto found = memory_.find(value); found != memory_.end()) return found->second;
  Expression expression = describe(value, depth);
  memory_[value] = expression;
  return expression;
}

PathNamer::Expression PathNamer::describe(const llvm::Value *value, unsigned depth) {
  if (!isa<llvm::AllocaInst>(value))
    if (Expression variable = variableOf(value); !variable.text.empty()) return variable;
  if (const auto *number = dyn_cast<llvm::ConstantInt>(value))
    return {number->getValue().getSignificantBits() <= 64 ? std::to_string(number->getSExtValue()) : kUnknown, nullptr};
  if (const auto *load = dyn_cast<llvm::LoadInst>(value))
    return placeOf(load->getPointerOperand(), layout_.getTypeStoreSize(load->getType()), depth + 1).expression;
  if (const auto *call = dyn_cast<llvm::CallBase>(value); call && !isa<llvm::IntrinsicInst>(call))
    return {calleeName(*call), returnType(*call)};
  if (const auto *cast = dyn_cast<llvm::CastInst>(value)) return valueOf(cast->getOperand(0), depth + 1);
  if (const auto *freeze = dyn_cast<llvm::FreezeInst>(value)) return valueOf(freeze->getOperand(0), depth + 1);
  if (value->getType()->isPointerTy() && (isa<llvm::GEPOperator>(value) || isa<llvm::GlobalVariable>(value) || isa<llvm::AllocaInst>(value)))
    return {"&" + placeOf(value, 0, depth + 1).expression.text, nullptr};
  return {kUnknown, nullptr};
}

PathNamer::Address PathNamer::split(const llvm::Value *pointer) const {
  Address address;
  while (true) {
    if (const auto *element = dyn_cast<llvm::GEPOperator>(pointer)) {
      unsigned bits = layout_.getIndexTypeSizeInBits(element->getType());
      llvm::MapVector<llvm::Value *, llvm::APInt> variables;
      llvm::APInt constant(bits, 0);
      if (!element->collectOffset(layout_, bits, variables, constant)) break;
      address.offset += constant.getSExtValue();
      for (auto &[index, stride] : variables) {
        address.index = index;
        address.stride = stride.getZExtValue();
      }
      pointer = element->getPointerOperand();
    } else if (const auto *intrinsic = dyn_cast<llvm::IntrinsicInst>(pointer);
               intrinsic && (intrinsic->getIntrinsicID() == llvm::Intrinsic::threadlocal_address ||
                             intrinsic->getIntrinsicID() == llvm::Intrinsic::launder_invariant_group)) {
      pointer = intrinsic->getArgOperand(0);
    } else {
      break;
    }
  }
  address.base = pointer;
  return address;
}

// What the address is relative to: a variable's own memory, or what a pointer points to.
PathNamer::Place PathNamer::baseOf(const Address &address, bool &throughPointer, unsigned depth) {
  throughPointer = false;
  if (const auto *global = dyn_cast<llvm::GlobalVariable>(address.base)) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> infos;
    global->getDebugInfo(infos);
    if (infos.empty()) return {{global->getName().str(), nullptr}, {}, {}};
    return {{infos[0]->getVariable()->getName().str(), infos[0]->getVariable()->getType()}, {}, {}};
  }
  if (isa<llvm::AllocaInst>(address.base)) {
    Expression variable = variableOf(address.base);
    return {variable.text.empty() ? Expression{"local", nullptr} : variable, {}, {}};
  }
  Expression pointer = valueOf(address.base, depth + 1);
  throughPointer = !isReference(pointer.type) || !pointer.type;
  return {{pointer.text, pointee(pointer.type)}, {}, {}};
}

// The text of an index into elements of `element` bytes; takes what it used off `rest`.
std::string PathNamer::indexText(const Address &address, uint64_t element, int64_t &rest, unsigned depth) {
  int64_t constant = element ? rest / static_cast<int64_t>(element) : 0;
  if (element) rest -= constant * static_cast<int64_t>(element);
  if (!address.index || address.stride != element) return std::to_string(constant);
  std::string text = valueOf(address.index, depth + 1).text;
  return constant == 0 ? text : text + " + " + std::to_string(constant);
}

// Follows the byte offset into records and arrays as far as an access of `size` bytes goes (0: a range, stop at once).
void PathNamer::descend(Place &place, Address &address, uint64_t size, bool throughPointer, unsigned depth) {
  Expression &expression = place.expression;
  const char *separator = throughPointer ? "->" : ".";
  int64_t rest = address.offset;
  uint64_t whole = sizeInBytes(expression.type);
  bool indexed = address.index && address.stride == whole && whole;
  if (throughPointer && (indexed || (whole && rest >= static_cast<int64_t>(whole)) || rest < 0)) {
    expression.text += "[" + indexText(address, whole, rest, depth) + "]";
    separator = ".";
    throughPointer = false;
    if (indexed) address.index = nullptr;
  }
  while (rest >= 0) {
    const llvm::DIType *type = plainType(expression.type);
    if (isArray(type)) {
      const llvm::DIType *element = llvm::cast<llvm::DICompositeType>(type)->getBaseType();
      if (size == 0 && rest == 0 && !address.index) break;
      uint64_t bytes = sizeInBytes(element);
      bool used = address.index && address.stride == bytes;
      expression = {expression.text + "[" + indexText(address, bytes, rest, depth) + "]", element};
      if (used) address.index = nullptr;
      throughPointer = false;
      separator = ".";
      if (bytes == 0) break;
      continue;
    }
    const llvm::DICompositeType *record = recordOf(type);
    if (!record || (size == 0 && rest == 0)) break;
    const llvm::DIDerivedType *member = memberAt(*record, static_cast<uint64_t>(rest), size);
    if (!member) break;
    rest -= static_cast<int64_t>(member->getOffsetInBits() / 8);
    expression.type = member->getBaseType();
    if (member->isBitField()) rest = 0;
    if (member->getName().empty()) continue; // a base class or an anonymous member has no name of its own
    expression.text += separator + member->getName().str();
    place.holder = typeName(record);
    if (place.holder.empty()) place.holder = typeName(record);
    place.field = member->getName().str();
    separator = ".";
    throughPointer = false;
  }
  if (throughPointer) expression.text = "*" + expression.text;
}

PathNamer::Place PathNamer::placeOf(const llvm::Value *pointer, uint64_t size, unsigned depth) {
  if (depth > kMaxDepth) return {{kUnknown, nullptr}, {}, {}};
  Address address = split(pointer);
  bool throughPointer = false;
  Place place = baseOf(address, throughPointer, depth);
  if (place.expression.text.empty()) place.expression.text = kUnknown;
  descend(place, address, size, throughPointer, depth);
  if (place.holder.empty() && place.expression.type) place.holder = typeName(place.expression.type);
  return place;
}

} // namespace deadheat::extract
