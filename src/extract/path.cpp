#include "extract/path.h"

#include <cstdlib>
#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include "extract/bits.h"
#include "extract/first_member.h"
#include "extract/types.h"
#include "extract/variables.h"

namespace deadheat::extract {

using llvm::dyn_cast;
using llvm::isa;

namespace {

constexpr unsigned kMaxDepth = 8; // loads and operations on the way from a variable to the access
constexpr size_t kMaxText = 160;  // characters: a longer path is cut, with a mark
constexpr size_t kMaxIndex = 40;
constexpr char kUnknown[] = "?";
constexpr char kCut[] = "...";
constexpr char kTemporary[] = "<temporary>"; // an object that the source does not name
constexpr char kResult[] = "<result>";       // the object that a function returns

struct Operation {
  unsigned opcode;
  const char *text;
};
constexpr Operation kOperations[] = {
    {llvm::Instruction::Add, " + "},   {llvm::Instruction::Sub, " - "},  {llvm::Instruction::Mul, " * "},
    {llvm::Instruction::UDiv, " / "},  {llvm::Instruction::SDiv, " / "}, {llvm::Instruction::URem, " % "},
    {llvm::Instruction::SRem, " % "},  {llvm::Instruction::Shl, " << "}, {llvm::Instruction::LShr, " >> "},
    {llvm::Instruction::AShr, " >> "}, {llvm::Instruction::And, " & "},  {llvm::Instruction::Or, " | "},
    {llvm::Instruction::Xor, " ^ "}};

const llvm::DIType *resultOf(const llvm::DISubroutineType *type) {
  llvm::DITypeRefArray types = type ? type->getTypeArray() : nullptr;
  return types && types.size() ? types[0] : nullptr;
}

const llvm::DIType *resultOf(const llvm::Function *function) {
  const llvm::DISubprogram *subprogram = function ? function->getSubprogram() : nullptr;
  return subprogram ? resultOf(subprogram->getType()) : nullptr;
}

// Without scope and parameters.
std::string functionName(const llvm::Function &function) {
  if (const llvm::DISubprogram *subprogram = function.getSubprogram()) return subprogram->getName().str();
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(function.getName().str().c_str()) || !demangler.isFunction())
    return function.getName().str();
  char *name = demangler.getFunctionBaseName(nullptr, nullptr);
  std::string text = name ? name : function.getName().str();
  std::free(name);
  return text;
}

// What a pointer expression points to.
Base throughPointer(const Expression &pointer) {
  llvm::StringRef text = pointer.text;
  if (text.consume_front("&")) return {{text.str(), nullptr}, false};
  Expression object = pointer;
  object.type = pointee(pointer.type);
  return {std::move(object), !isReference(pointer.type)};
}

Form formOf(const llvm::Instruction &instruction) {
  const auto *store = dyn_cast<llvm::StoreInst>(&instruction);
  const llvm::Type *type = store ? store->getValueOperand()->getType() : instruction.getType();
  if (type->isPointerTy()) return Form::Pointer;
  return type->isFloatingPointTy() ? Form::Float : Form::Integer;
}

bool isVtableAccess(const llvm::Instruction &instruction) {
  const llvm::MDNode *tag = instruction.getMetadata(llvm::LLVMContext::MD_tbaa);
  return tag && tag->isTBAAVtableAccess();
}

// The record whose first bytes the source says it touches (`((struct job *)context)->number`): a cast leaves no other trace.
const llvm::DIType *recordByTag(const llvm::Instruction &instruction, TypeIndex &types) {
  const llvm::MDNode *tag = instruction.getMetadata(llvm::LLVMContext::MD_tbaa);
  if (!tag || tag->getNumOperands() < 3 || tag->getOperand(0) == tag->getOperand(1)) return nullptr;
  const auto *base = dyn_cast<llvm::MDNode>(tag->getOperand(0));
  const auto *offset = llvm::mdconst::dyn_extract<llvm::ConstantInt>(tag->getOperand(2));
  if (!base || !offset || !offset->isZero()) return nullptr;
  const auto *name = dyn_cast<llvm::MDString>(base->getOperand(0));
  return name ? types.findTagged(name->getString()) : nullptr;
}

} // namespace

PathNamer::PathNamer(const llvm::Function &function, TypeIndex &types)
    : function_(function), layout_(function.getParent()->getDataLayout()), types_(types) {}

AccessPath PathNamer::name(const ir::Access &access) {
  if (!access.address || !access.address->getType()->isPointerTy()) return {};
  Extent extent{.wanted = {access.size, formOf(*access.instruction)},
                .isRange = ir::isRange(access.kind),
                .isVtable = isVtableAccess(*access.instruction),
                .bits = touchedBits(*access.instruction),
                .instruction = access.instruction};
  Place place = placeOf(access.address, extent, 0);
  std::string &text = place.expression.text;
  const uint64_t bytes = place.quality == Quality::Exact ? sizeInBytes(place.expression.type) : 0;
  const bool isPointee = text.starts_with("*");
  if (text.size() > kMaxText) text = text.substr(0, kMaxText) + kCut;
  return {std::move(text), std::move(place.holder), std::move(place.field),
          bytes <= UINT32_MAX ? static_cast<uint32_t>(bytes) : 0, isPointee};
}

std::string PathNamer::target(const llvm::Value *pointer, llvm::StringRef wanted) {
  Extent extent{.wanted = {0, Form::Pointer}, .isRange = true};
  Expression object = placeOf(pointer, extent, 0).expression;
  std::string text = object.text;
  if (std::string inner = wanted.empty() ? std::string() : pathToFirst(object.type, wanted); !inner.empty()) {
    bool isPointee = text.starts_with("*") && object.isCompound;
    text = isPointee ? text.substr(1) + "->" + inner : beforePostfix(object) + "." + inner;
  }
  llvm::StringRef root = llvm::StringRef(text).ltrim("(*");
  bool isNameless = root.starts_with(kUnknown) || root.starts_with("<");
  return isNameless || text.size() > kMaxText ? std::string() : text;
}

const llvm::DICompositeType *PathNamer::classAt(const llvm::Value *pointer) {
  const llvm::DICompositeType *record = nullptr;
  Bases bases = namedBases(pointer);
  if (bases.empty()) bases.push_back(throughPointer(valueOf(pointer, 0)));
  for (const Base &base : bases) {
    if (base.offset == 0 && !base.expression.type) continue; // a `void *` of the same value says nothing
    const llvm::DIType *type = base.offset == 0 ? plainType(base.expression.type) : nullptr;
    const auto *found = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
    if (!found || (record && record != found)) return nullptr;
    record = found;
  }
  return record;
}

// What is unknown is not remembered: it may be so for the depth at which it was asked.
Expression PathNamer::valueOf(const llvm::Value *value, unsigned depth) {
  if (depth > kMaxDepth) return {kUnknown};
  if (auto found = memory_.find(value); found != memory_.end()) return found->second;
  Expression expression = describe(value, depth);
  if (!llvm::StringRef(expression.text).contains(kUnknown)) memory_[value] = expression;
  return expression;
}

Expression PathNamer::describe(const llvm::Value *value, unsigned depth) {
  if (auto named = variablesWithValue(value); !named.empty()) return named.front();
  if (const auto *number = dyn_cast<llvm::ConstantInt>(value))
    return {number->getValue().getSignificantBits() <= 64 ? std::to_string(number->getSExtValue()) : kUnknown};
  if (const auto *load = dyn_cast<llvm::LoadInst>(value)) return describeLoad(*load, depth);
  if (const auto *argument = dyn_cast<llvm::Argument>(value)) return describeArgument(*argument);
  if (const auto *call = dyn_cast<llvm::CallBase>(value)) return describeCall(*call, depth);
  if (isa<llvm::CastInst, llvm::FreezeInst>(value))
    return valueOf(llvm::cast<llvm::User>(value)->getOperand(0), depth + 1);
  if (const auto *part = dyn_cast<llvm::ExtractValueInst>(value)) return describePart(*part, depth);
  if (const auto *operation = dyn_cast<llvm::BinaryOperator>(value)) return describeOperation(*operation, depth);
  if (const auto *phi = dyn_cast<llvm::PHINode>(value)) return describeMerge(phi->incoming_values(), depth);
  if (const auto *select = dyn_cast<llvm::SelectInst>(value))
    return describeMerge(llvm::ArrayRef<const llvm::Value *>{select->getTrueValue(), select->getFalseValue()}, depth);
  if (const auto *function = dyn_cast<llvm::Function>(value)) return {functionName(*function)};
  if (isa<llvm::GEPOperator, llvm::GlobalVariable, llvm::AllocaInst>(value) && value->getType()->isPointerTy()) {
    Expression object = placeOf(value, {.wanted = {}, .isRange = true}, depth + 1).expression;
    return {"&" + object.text, nullptr, /*isCompound=*/true};
  }
  return {kUnknown};
}

Expression PathNamer::describeLoad(const llvm::LoadInst &load, unsigned depth) {
  Extent extent{.wanted = {layout_.getTypeStoreSize(load.getType()), formOf(load)}, .bits = touchedBits(load)};
  return placeOf(load.getPointerOperand(), extent, depth + 1).expression;
}

// Thread-local variables that may need a constructor are reached by a function of their own.
static const llvm::GlobalVariable *threadLocalBehind(const llvm::Function &wrapper) {
  llvm::StringRef name = wrapper.getName();
  if (!name.consume_front("_ZTW")) return nullptr;
  const std::string mangled = ("_Z" + name).str();
  for (const std::string &each : {mangled, llvm::demangle(mangled)})
    if (const llvm::GlobalVariable *variable = wrapper.getParent()->getGlobalVariable(each, /*AllowInternal=*/true))
      return variable;
  return nullptr;
}

Expression PathNamer::describeCall(const llvm::CallBase &call, unsigned depth) {
  if (const auto *intrinsic = dyn_cast<llvm::IntrinsicInst>(&call)) {
    bool isTransparent = intrinsic->getIntrinsicID() == llvm::Intrinsic::expect || intrinsic->getReturnedArgOperand();
    return isTransparent ? valueOf(intrinsic->getArgOperand(0), depth + 1) : Expression{kUnknown};
  }
  if (const llvm::Function *callee = call.getCalledFunction()) {
    if (const llvm::GlobalVariable *variable = threadLocalBehind(*callee)) return valueOf(variable, depth + 1);
    Expression asOperator = describeOperator(*callee, call, depth);
    return asOperator.text.empty() ? Expression{functionName(*callee) + "()", resultOf(callee)} : asOperator;
  }
  Expression callee = valueOf(call.getCalledOperand(), depth + 1);
  return {beforePostfix(callee) + "()",
          resultOf(llvm::dyn_cast_or_null<llvm::DISubroutineType>(plainType(pointee(callee.type))))};
}

// What stands for an array or a pointer is written like one. Empty: it is another function.
Expression PathNamer::describeOperator(const llvm::Function &callee, const llvm::CallBase &call, unsigned depth) {
  std::string name = functionName(callee);
  if (!llvm::StringRef(name).starts_with("operator") || call.arg_empty() || call.hasStructRetAttr()) return {};
  Base object = throughPointer(valueOf(call.getArgOperand(0), depth + 1));
  std::string text = object.isPointer ? "(*" + object.expression.text + ")" : beforePostfix(object.expression);
  if (name == "operator->") return {text, resultOf(&callee)};
  if (name == "operator*") return {"*" + text, resultOf(&callee), /*isCompound=*/true};
  if (name != "operator[]" || call.arg_size() != 2) return {};
  std::string index = valueOf(call.getArgOperand(1), depth + 1).text;
  return {text + "[" + llvm::StringRef(index).ltrim('&').str() + "]", resultOf(&callee)};
}

// A record that a call returns comes in registers, which are told apart like its members.
Expression PathNamer::describePart(const llvm::ExtractValueInst &part, unsigned depth) {
  const auto *call = dyn_cast<llvm::CallBase>(part.getAggregateOperand());
  auto *record = dyn_cast<llvm::StructType>(part.getAggregateOperand()->getType());
  if (!call || !record || part.getNumIndices() != 1) return {kUnknown};
  llvm::TypeSize offset = layout_.getStructLayout(record)->getElementOffset(part.getIndices()[0]);
  Extent extent{.wanted = {layout_.getTypeStoreSize(part.getType()), formOf(part)}};
  Base base{describeCall(*call, depth), false, static_cast<int64_t>(offset.getFixedValue())};
  return walk(base, {}, extent, [](const llvm::Value *) { return Expression{kUnknown}; }).expression;
}

Expression PathNamer::describeArgument(const llvm::Argument &argument) const {
  if (argument.hasStructRetAttr()) return {"&" + std::string(kResult)};
  return {"<argument " + std::to_string(argument.getArgNo() + 1) + ">"};
}

Expression PathNamer::describeOperation(const llvm::BinaryOperator &operation, unsigned depth) {
  const Operation *found =
      llvm::find_if(kOperations, [&](const Operation &row) { return row.opcode == operation.getOpcode(); });
  if (found == std::end(kOperations)) return {kUnknown};
  Expression left = valueOf(operation.getOperand(0), depth + 1), right = valueOf(operation.getOperand(1), depth + 1);
  std::string text = beforePostfix(left) + found->text + beforePostfix(right);
  if (operation.getOpcode() == llvm::Instruction::Add && right.text.starts_with("-"))
    text = beforePostfix(left) + " - " + right.text.substr(1);
  return {std::move(text), nullptr, /*isCompound=*/true};
}

// A value that came by several ways has words if all ways agree; a null pointer is none of them.
template <typename Values> Expression PathNamer::describeMerge(Values &&values, unsigned depth) {
  Expression merged;
  for (const llvm::Value *value : values) {
    if (isa<llvm::ConstantPointerNull, llvm::UndefValue>(value)) continue;
    Expression expression = valueOf(value, depth + 1);
    if (!merged.text.empty() && merged.text != expression.text) return {kUnknown};
    merged = expression;
  }
  return merged.text.empty() ? Expression{kUnknown} : merged;
}

// Objects and pointers that debug info names at this value.
PathNamer::Bases PathNamer::namedBases(const llvm::Value *value) {
  Bases bases = variablesAt(value);
  for (const Expression &pointer : variablesWithValue(value)) bases.push_back(throughPointer(pointer));
  return bases;
}

Base PathNamer::globalBase(const llvm::GlobalVariable &global) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> infos;
  global.getDebugInfo(infos);
  if (infos.empty()) return {{llvm::demangle(global.getName()), types_.find(global.getValueType())}, false};
  const llvm::DIGlobalVariable &variable = *infos[0]->getVariable();
  return {{scopePrefix(variable.getScope()) + variable.getName().str(), variable.getType()}, false};
}

Base PathNamer::rootBase(const llvm::Value *value, unsigned depth) {
  if (const auto *global = dyn_cast<llvm::GlobalVariable>(value)) return globalBase(*global);
  if (const auto *slot = dyn_cast<llvm::AllocaInst>(value))
    return {{kTemporary, types_.find(slot->getAllocatedType())}, false};
  Expression pointer = valueOf(value, depth + 1);
  Base base = throughPointer(pointer);
  if (const auto *argument = dyn_cast<llvm::Argument>(value); argument && argument->hasStructRetAttr())
    base.expression.type = resultOf(&function_);
  return base;
}

// Tries every name on the way from the root object to the pointer, and takes the one that explains most; the first of
// equals is nearest to the root.
Place PathNamer::placeOf(const llvm::Value *pointer, const Extent &extent, unsigned depth) {
  if (depth > kMaxDepth) return {{kUnknown}, {}, {}};
  auto indexText = [&](const llvm::Value *index) {
    Expression expression = valueOf(index, depth + 1);
    return expression.text.size() > kMaxIndex ? Expression{kCut} : expression;
  };
  std::optional<Place> best;
  auto look = [&](const llvm::DIType *record) {
    bool isRoot = true;
    for (const Address &address : decompose(pointer, layout_)) {
      Bases bases = namedBases(address.base);
      if (bases.empty() && isRoot) bases.push_back(rootBase(address.base, depth));
      isRoot = false;
      for (Base &base : bases) {
        if (!recordOf(base.expression.type)) {
          if (const llvm::DIType *view = types_.find(address.view))
            base.expression.type = view;
          else if (record && address.base == pointer && base.offset == 0)
            base.expression.type = record;
        }
        Place place = walk(base, address, extent, indexText);
        if (!best || place.quality > best->quality) best = std::move(place);
      }
    }
  };
  look(nullptr);
  const bool isCast = extent.instruction && best->field.empty();
  if (const llvm::DIType *record = isCast ? recordByTag(*extent.instruction, types_) : nullptr) {
    best.reset();
    look(record);
  }
  return *best;
}

} // namespace deadheat::extract
