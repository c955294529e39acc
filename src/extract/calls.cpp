#include "extract/calls.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include "extract/file_name.h"
#include "extract/first_member.h"
#include "extract/types.h"

namespace deadheat::extract {

using llvm::dyn_cast;

namespace {

bool isCpp(const llvm::Function &function) {
  const llvm::DISubprogram *subprogram = function.getSubprogram();
  const llvm::DICompileUnit *unit = subprogram ? subprogram->getUnit() : nullptr;
  return unit && llvm::dwarf::isCPlusPlus(static_cast<llvm::dwarf::SourceLanguage>(unit->getSourceLanguage()));
}

// Clang steps through a vtable as through an array of pointers, through a record of functions as through a record.
bool isVtableEntry(const llvm::LoadInst &entry, const llvm::LoadInst &vtable) {
  const llvm::MDNode *tag = vtable.getMetadata(llvm::LLVMContext::MD_tbaa);
  if (tag) return tag->isTBAAVtableAccess();
  const auto *element = dyn_cast<llvm::GEPOperator>(entry.getPointerOperand());
  bool isArray = element && element->getSourceElementType()->isPointerTy() && element->getNumIndices() == 1;
  return isArray && isCpp(*entry.getFunction());
}

// An assembly without text orders the compiler, not the machine.
bool isCompilerBarrier(const llvm::CallBase &call) {
  const auto *assembly = dyn_cast<llvm::InlineAsm>(call.getCalledOperand());
  return assembly && assembly->getAsmString().empty() && call.getType()->isVoidTy() && llvm::isa<llvm::CallInst>(call);
}

// The frame of the user that led into inlined library code.
const llvm::DILocation *outermost(const llvm::DILocation *location) {
  while (location && location->getInlinedAt()) location = location->getInlinedAt();
  return location;
}

} // namespace

void CallWriter::add(llvm::CallBase &call) {
  if (isCompilerBarrier(call)) return;
  model::Call row;
  row.type = row.file = unit_.strings.intern("");
  describeCallee(call, row);
  describePlace(call, row);
  if (!call.doesNotThrow()) row.flags |= model::kMayUnwind;
  if (call.doesNotReturn()) row.flags |= model::kNoReturn;
  llvm::SmallVector<model::Argument, 8> arguments;
  for (unsigned i = 0; i < call.arg_size(); ++i) arguments.push_back(argument(call, i));
  row.firstArgument = model::ArgumentId(static_cast<uint32_t>(unit_.arguments.size()));
  row.argumentCount = static_cast<uint32_t>(arguments.size());
  for (const model::Argument &one : arguments) unit_.arguments.add(one);
  model::CallId id = unit_.calls.add(row);
  emitter_.define(call, {.kind = model::StatementKind::Call, .number = id.value()});
}

void CallWriter::describeCallee(const llvm::CallBase &call, model::Call &row) {
  const llvm::Value *callee = call.getCalledOperand()->stripPointerCasts();
  if (llvm::isa<llvm::InlineAsm>(callee)) {
    row.flags |= model::kAssembly;
    return;
  }
  row.callee = emitter_.operand(callee);
  if (describeVirtual(call, row)) return;
  const auto *global = dyn_cast<llvm::GlobalValue>(callee);
  if (!global || global->getValueType() != call.getFunctionType())
    row.type = unit_.strings.intern(signatureOf(*call.getFunctionType()));
}

bool CallWriter::describeVirtual(const llvm::CallBase &call, model::Call &row) {
  const auto *entry = dyn_cast<llvm::LoadInst>(call.getCalledOperand());
  if (!entry || call.arg_empty()) return false;
  int64_t slot = 0;
  const llvm::Value *table =
      llvm::GetPointerBaseWithConstantOffset(entry->getPointerOperand(), slot, emitter_.layout());
  const auto *vtable = dyn_cast<llvm::LoadInst>(table);
  unsigned self = call.hasStructRetAttr() && call.arg_size() > 1 ? 1 : 0;
  if (!vtable || vtable->getPointerOperand() != call.getArgOperand(self) || slot < 0) return false;
  const llvm::DICompositeType *object = namer_.classAt(vtable->getPointerOperand());
  bool hasVtable = object && object->getVTableHolder();
  if (!isVtableEntry(*entry, *vtable) && !hasVtable) return false;
  row.flags |= model::kVirtual;
  row.slot = static_cast<uint32_t>(slot);
  if (hasVtable || (object && object->isForwardDecl())) row.type = unit_.strings.intern(typeName(object));
  return true;
}

void CallWriter::describePlace(const llvm::CallBase &call, model::Call &row) {
  const llvm::DILocation *location = outermost(call.getDebugLoc());
  if (!location) return;
  row.file = unit_.strings.intern(fileName(location->getFile(), unit_.directory));
  row.line = location->getLine();
  row.column = static_cast<uint16_t>(location->getColumn());
}

model::Argument CallWriter::argument(const llvm::CallBase &call, unsigned index) {
  const llvm::Value &value = *call.getArgOperand(index);
  model::Argument argument{emitter_.operand(&value), unit_.strings.intern("")};
  bool mayHaveName = value.getType()->isPointerTy() && !llvm::isa<llvm::Function, llvm::ConstantPointerNull>(value) &&
                     argument.value.kind != model::OperandKind::None;
  if (mayHaveName) argument.path = unit_.strings.intern(namer_.target(&value, wantedType(call, index)));
  return argument;
}

} // namespace deadheat::extract
