#include "instrument/hooks.h"

#include <algorithm>

#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/AtomicOrdering.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include "abi/near.h"
#include "abi/note.h"
#include "abi/table.h"
#include "model/counting.h"
#include "model/late_sites.h"

namespace deadheat::instrument {

using llvm::ConstantInt;
using llvm::GlobalValue;
using llvm::GlobalVariable;
using model::AccessKind;

namespace {

constexpr char kTableName[] = "__deadheat_table";
constexpr char kNearName[] = "__deadheat_near";
constexpr const char *kCountingNames[] = {"__deadheat_ask_enter", "__deadheat_ask_loop"};
constexpr char kQuestionName[] = "__deadheat_ask_runtime";
constexpr char kConstructorName[] = "__deadheat_attach_library";
constexpr const char *kStubNames[] = {
#define HOOK(name, result, parameters) "__deadheat_tell_" #name,
#include "abi/hooks.def"
};

// hooks.def names its types; these are their IR forms.
struct Types {
  explicit Types(llvm::LLVMContext &context)
      : Void(llvm::Type::getVoidTy(context)), Bool(llvm::Type::getInt1Ty(context)),
        Ptr(llvm::PointerType::get(context, 0)), U32(llvm::Type::getInt32Ty(context)),
        U64(llvm::Type::getInt64Ty(context)) {}
  llvm::Type *Void, *Bool, *Ptr, *U32, *U64;
};

llvm::FunctionType *hookType(llvm::LLVMContext &context, Hook hook) {
  Types types(context);
  auto &[Void, Bool, Ptr, U32, U64] = types;
  auto listed = [&](std::initializer_list<llvm::Type *> list) { return llvm::SmallVector<llvm::Type *, 4>(list); };
#define UNPAREN(...) {__VA_ARGS__}
#define HOOK(name, result, parameters)                                                                                 \
  if (hook == Hook::name) return llvm::FunctionType::get(result, listed(UNPAREN parameters), false);
#include "abi/hooks.def"
#undef UNPAREN
  llvm_unreachable("every hook is in the list");
}

// No red zones: the linker's concatenation of notes and slots is a layout that others read.
void keepLayout(GlobalVariable &global) {
  GlobalVariable::SanitizerMetadata exempt;
  exempt.NoAddress = exempt.NoHWAddress = true;
  global.setSanitizerMetadata(exempt);
}

GlobalVariable *makeTable(llvm::Module &module) {
  auto *type =
      llvm::ArrayType::get(llvm::Type::getInt64Ty(module.getContext()), sizeof(abi::HookTable) / sizeof(abi::U64));
  auto *table = new GlobalVariable(module, type, false, GlobalValue::LinkOnceODRLinkage,
                                   llvm::Constant::getNullValue(type), kTableName);
  table->setVisibility(GlobalValue::HiddenVisibility);
  table->setComdat(module.getOrInsertComdat(kTableName));
  table->setDSOLocal(true);
  keepLayout(*table);
  table->setAlignment(llvm::Align(64)); // read at every function entry: shares its line with nothing that is written
  return table;
}

// Whether the code may go into a shared library.
bool mayBeLibrary(const llvm::Module &module) {
  return module.getPICLevel() != llvm::PICLevel::NotPIC && module.getPIELevel() == llvm::PIELevel::Default;
}

GlobalVariable *makeNear(llvm::Module &module) {
  if (mayBeLibrary(module)) return nullptr;
  auto *word = llvm::Type::getInt64Ty(module.getContext());
  auto *near = new GlobalVariable(
      module, word, false, GlobalValue::LinkOnceODRLinkage, llvm::Constant::getNullValue(word), kNearName, nullptr,
      GlobalValue::GeneralDynamicTLSModel); // which the code generator betters in an executable
  near->setVisibility(GlobalValue::HiddenVisibility);
  near->setComdat(module.getOrInsertComdat(kNearName));
  near->setDSOLocal(true);
  keepLayout(*near);
  near->setAlignment(llvm::Align(8));
  return near;
}

uint8_t slotByte(const model::LateAccess &access, bool learns) {
  if (ir::isRange(access.kind) || access.size == 0) return abi::kSlotUnknown;
  if (learns) return static_cast<uint8_t>(abi::kSlotUpdate + access.size);
  return static_cast<uint8_t>(std::min<uint32_t>(access.size, abi::kSlotLongest));
}

// A write that reads before it only to count is a write to the runtime.
std::vector<uint8_t> slotBytes(const model::Unit &unit) {
  std::vector<uint8_t> bytes;
  std::optional<model::Counting> counting;
  for (uint32_t slot = 0; slot != unit.late.size(); ++slot) {
    const model::LateAccess &access = unit.late[model::LateId(slot)];
    const bool readsToo = model::readsToo(unit, access);
    if (readsToo && !counting) counting.emplace(unit);
    bytes.push_back(slotByte(access, readsToo && !counting->only(access)));
  }
  return bytes;
}

GlobalVariable *makeSlots(llvm::Module &module, const char *section, const std::vector<uint8_t> &bytes) {
  llvm::Constant *value = llvm::ConstantDataArray::get(module.getContext(), bytes);
  auto *slots = new GlobalVariable(module, value->getType(), false, GlobalValue::PrivateLinkage, value,
                                   llvm::Twine("__") + section);
  slots->setSection(section);
  keepLayout(*slots);
  slots->setAlignment(llvm::Align(1));
  return slots;
}

Hook hookOf(AccessKind kind) {
  switch (kind) {
  case AccessKind::Read: return Hook::read;
  case AccessKind::Write: return Hook::write;
  case AccessKind::RangeRead: return Hook::read_range;
  case AccessKind::RangeWrite: return Hook::write_range;
  case AccessKind::AtomicRead:
  case AccessKind::AtomicWrite:
  case AccessKind::AtomicUpdate: return Hook::atomic_begin;
  case AccessKind::Fence: return Hook::fence;
  }
  llvm_unreachable("every kind has a hook");
}

uint32_t orderNumber(llvm::AtomicOrdering order) { return static_cast<uint32_t>(llvm::toCABI(order)); }

// Always succeeded, as far as is known before the program runs.
uint32_t atomicInfo(const llvm::Instruction &instruction) {
  if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return orderNumber(exchange->getSuccessOrdering()) | orderNumber(exchange->getFailureOrdering())
                                                             << abi::kFailureOrderShift;
  constexpr uint32_t kSucceeded = 1u << abi::kSucceededShift;
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return orderNumber(load->getOrdering()) | kSucceeded | 1u << abi::kLoadShift;
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return orderNumber(store->getOrdering()) | kSucceeded | 1u << abi::kStoreShift;
  if (const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return orderNumber(update->getOrdering()) | kSucceeded;
  return orderNumber(llvm::AtomicOrdering::SequentiallyConsistent) | kSucceeded; // assembly
}

uint32_t fenceOrder(const llvm::Instruction &instruction) {
  const auto *fence = llvm::dyn_cast<llvm::FenceInst>(&instruction);
  return orderNumber(fence ? fence->getOrdering() : llvm::AtomicOrdering::SequentiallyConsistent);
}

} // namespace

llvm::Value *returnSlot(llvm::IRBuilder<> &builder) {
  return builder.CreateIntrinsic(llvm::Intrinsic::addressofreturnaddress, {builder.getPtrTy()}, {});
}

llvm::CallingConv::ID plainConvention(const llvm::Function &function) {
  return function.hasOptNone() ? llvm::CallingConv::C : llvm::CallingConv::PreserveMost;
}

Hooks::Hooks(llvm::Module &module, const model::Unit &unit)
    : module_(module), table_(makeTable(module)),
      functions_(makeSlots(module, abi::kFunctionSection, std::vector<uint8_t>(unit.functionSlots.size()))),
      accesses_(makeSlots(module, abi::kAccessSection, slotBytes(unit))), near_(makeNear(module)),
      functionBytes_(unit.functionSlots.size()) {}

// A plain load: no optimisation that could move it runs after us, and the code generator folds it into a compare.
llvm::Value *Hooks::readFlag(llvm::IRBuilder<> &builder, unsigned offset) const {
  llvm::Value *flag = builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), table_, offset);
  return builder.CreateIsNotNull(builder.CreateLoad(builder.getInt8Ty(), flag));
}

llvm::Value *Hooks::isActive(llvm::IRBuilder<> &builder) const {
  return readFlag(builder, __builtin_offsetof(abi::HookTable, active));
}

llvm::Value *Hooks::isSyncTold(llvm::IRBuilder<> &builder) const {
  return readFlag(builder, __builtin_offsetof(abi::HookTable, sync));
}

llvm::Value *Hooks::nearWord(llvm::IRBuilder<> &builder) const {
  return builder.CreateLoad(builder.getPtrTy(), builder.CreateThreadLocalAddress(near_));
}

llvm::Value *Hooks::countDown(llvm::IRBuilder<> &builder, llvm::Value *near, uint32_t slot) const {
  return countDown(builder, near, functionSlot(slot), Hook::enter);
}

llvm::Value *Hooks::countDown(llvm::IRBuilder<> &builder, llvm::Value *near, llvm::Value *slot, Hook hook) const {
  llvm::Value *index = builder.CreatePtrToInt(slot, builder.getInt64Ty());
  llvm::Value *pause = builder.CreateGEP(builder.getInt64Ty(), near, index);
  if (hook == Hook::loop) pause = builder.CreateConstGEP1_32(builder.getInt32Ty(), pause, 1);
  llvm::Value *less = builder.CreateBinaryIntrinsic(
      llvm::Intrinsic::usub_with_overflow, builder.CreateLoad(builder.getInt32Ty(), pause), builder.getInt32(1));
  builder.CreateStore(builder.CreateExtractValue(less, 0), pause);
  return builder.CreateExtractValue(less, 1);
}

llvm::CallInst *Hooks::enter(llvm::IRBuilder<> &builder, uint32_t slot, llvm::CallingConv::ID convention) const {
  functionBytes_[slot] |= abi::kSlotCountsItself;
  return enter(builder, functionSlot(slot), returnSlot(builder), convention);
}

llvm::CallInst *Hooks::enter(llvm::IRBuilder<> &builder, llvm::Value *slot, llvm::Value *returnSlot,
                             llvm::CallingConv::ID convention) const {
  auto *pointer = builder.getPtrTy();
  auto *type = llvm::FunctionType::get(builder.getInt1Ty(), {pointer, pointer, pointer}, false);
  return call(builder, Hook::enter, type, {slot, returnSlot, builder.CreateThreadLocalAddress(near_)}, convention);
}

llvm::CallInst *Hooks::ask(llvm::IRBuilder<> &builder, Hook hook, uint32_t slot,
                           llvm::CallingConv::ID convention) const {
  llvm::Value *arguments[] = {functionSlot(slot), returnSlot(builder)};
  if (!near_ || convention != llvm::CallingConv::PreserveMost) return call(builder, hook, arguments, convention);
  if (hook == Hook::enter) functionBytes_[slot] |= abi::kSlotCountsItself;
  llvm::CallInst *question = builder.CreateCall(counting(hook), arguments);
  question->setDoesNotThrow();
  question->setCallingConv(convention);
  question->addRetAttr(llvm::Attribute::ZExt);
  return question;
}

llvm::Function *Hooks::makeQuestion(const char *name, Hook hook) const {
  llvm::LLVMContext &context = module_.getContext();
  auto *made = llvm::Function::Create(hookType(context, hook), GlobalValue::InternalLinkage, name, module_);
  made->setCallingConv(llvm::CallingConv::PreserveMost);
  made->addRetAttr(llvm::Attribute::ZExt);
  made->addFnAttr(llvm::Attribute::NoUnwind);
  made->addFnAttr(llvm::Attribute::getWithUWTableKind(context, llvm::UWTableKind::Default));
  return made;
}

// Hands over the word, too; of its own, so that what it saves for that is not saved by who counts.
llvm::Function *Hooks::question() const {
  llvm::Function *made = makeQuestion(kQuestionName, Hook::enter);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module_.getContext(), "", made));
  builder.CreateRet(enter(builder, made->getArg(0), made->getArg(1), made->getCallingConv()));
  return made;
}

// One for the unit, of calls and of back edges: what short functions do themselves (plain.cpp), and a jump to the question.
llvm::Function *Hooks::counting(Hook hook) const {
  llvm::Function *&made = counting_[static_cast<unsigned>(hook)];
  if (made) return made;
  made = makeQuestion(kCountingNames[static_cast<unsigned>(hook)], hook);
  llvm::LLVMContext &context = module_.getContext();
  auto newBlock = [&] { return llvm::BasicBlock::Create(context, "", made); };
  llvm::BasicBlock *look = newBlock(), *count = newBlock(), *passed = newBlock(), *asked = newBlock();
  llvm::MDNode *rarely = llvm::MDBuilder(context).createBranchWeights(1, kRarely);
  llvm::IRBuilder<> builder(look);
  llvm::Value *near = nearWord(builder);
  builder.CreateCondBr(builder.CreateIsNull(near), asked, count, rarely);
  builder.SetInsertPoint(count);
  builder.CreateCondBr(countDown(builder, near, made->getArg(0), hook), asked, passed, rarely);
  builder.SetInsertPoint(passed);
  builder.CreateRet(builder.getFalse());
  builder.SetInsertPoint(asked);
  llvm::Value *arguments[] = {made->getArg(0), made->getArg(1)};
  llvm::CallInst *answer = hook == Hook::enter ? builder.CreateCall(question(), arguments)
                                               : call(builder, hook, arguments, made->getCallingConv());
  answer->setCallingConv(made->getCallingConv());
  answer->addRetAttr(llvm::Attribute::ZExt);
  answer->setTailCallKind(llvm::CallInst::TCK_MustTail);
  builder.CreateRet(answer);
  return made;
}

llvm::CallInst *Hooks::call(llvm::IRBuilder<> &builder, Hook hook, llvm::ArrayRef<llvm::Value *> arguments,
                            llvm::CallingConv::ID convention) const {
  return call(builder, hook, hookType(builder.getContext(), hook), arguments, convention);
}

llvm::CallInst *Hooks::call(llvm::IRBuilder<> &builder, Hook hook, llvm::FunctionType *type,
                            llvm::ArrayRef<llvm::Value *> arguments, llvm::CallingConv::ID convention) const {
  constexpr unsigned kFirstHook = 8; // bytes: the flags and their padding
  static_assert(__builtin_offsetof(abi::HookTable, enter) == kFirstHook);
  unsigned offset = kFirstHook + static_cast<unsigned>(hook) * sizeof(void *);
  llvm::Value *entry = builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), table_, offset);
  llvm::Value *callee = builder.CreateLoad(builder.getPtrTy(), entry);
  llvm::CallInst *call = builder.CreateCall(type, callee, arguments);
  call->setDoesNotThrow();
  call->setCallingConv(convention);
  if (call->getType()->isIntegerTy(1)) call->addRetAttr(llvm::Attribute::ZExt);
  return call;
}

namespace {

// By its name: told bodies have no metadata that would tell.
bool isVirtualTable(llvm::Value &value) {
  auto *table = llvm::dyn_cast<llvm::GlobalVariable>(value.stripInBoundsConstantOffsets());
  return table && table->getName().starts_with("_ZTV");
}

// Where it stores the same, the address is null.
llvm::Value *changedAddress(llvm::IRBuilder<> &builder, const ir::Access &access) {
  if (!mayChangeNothing(access)) return access.address;
  llvm::Value *value = llvm::cast<llvm::StoreInst>(access.instruction)->getValueOperand();
  llvm::Value *same = builder.CreateICmpEQ(builder.CreateLoad(value->getType(), access.address), value);
  return builder.CreateSelect(same, llvm::ConstantPointerNull::get(builder.getPtrTy()), access.address);
}

} // namespace

bool mayChangeNothing(const ir::Access &access) {
  auto *store = llvm::dyn_cast<llvm::StoreInst>(access.instruction);
  return store && isVirtualTable(*store->getValueOperand());
}

void Hooks::tell(llvm::IRBuilder<> &builder, const ir::Access &access, model::LateId slot,
                 llvm::CallingConv::ID convention) const {
  if (access.mask) return tellLanes(builder, access, slot, convention);
  if (ir::isAtomic(access.kind)) {
    tellBegin(builder, access, slot, convention);
    builder.SetInsertPoint(access.instruction->getNextNode());
    return tellEnd(builder, access, slot, convention);
  }
  if (access.kind == AccessKind::Fence) {
    call(builder, Hook::fence, {accessSlot(slot), builder.getInt32(fenceOrder(*access.instruction))}, convention);
    return;
  }
  llvm::SmallVector<llvm::Value *, 3> arguments{changedAddress(builder, access)};
  if (ir::isRange(access.kind)) arguments.push_back(builder.CreateZExtOrTrunc(access.bytes, builder.getInt64Ty()));
  tellPlain(builder, hookOf(access.kind), arguments, slot, convention);
}

void Hooks::tellPlain(llvm::IRBuilder<> &builder, Hook hook, llvm::SmallVectorImpl<llvm::Value *> &arguments,
                      model::LateId slot, llvm::CallingConv::ID convention) const {
  if (convention != llvm::CallingConv::C) {
    arguments.push_back(accessSlot(slot));
    call(builder, hook, arguments, convention);
    return;
  }
  arguments.push_back(builder.getInt32(slot.value()));
  builder.CreateCall(stub(hook), arguments)->setDoesNotThrow();
}

// Takes the number of an access where the hook takes its slot, and jumps there. The fast instruction selector, which
// compiles most calls, then needs one instruction for the callee and one, without a relocation, for the access: two
// instructions and a symbol less each time.
llvm::Function *Hooks::stub(Hook hook) const {
  auto index = static_cast<unsigned>(hook);
  llvm::Function *&made = stubs_[index];
  if (made) return made;
  llvm::LLVMContext &context = module_.getContext();
  llvm::FunctionType *type = hookType(context, hook);
  llvm::SmallVector<llvm::Type *, 4> parameters(type->params());
  parameters.back() = llvm::Type::getInt32Ty(context);
  made = llvm::Function::Create(llvm::FunctionType::get(type->getReturnType(), parameters, false),
                                GlobalValue::InternalLinkage, kStubNames[index], module_);
  made->addFnAttr(llvm::Attribute::NoUnwind);
  made->addFnAttr(llvm::Attribute::getWithUWTableKind(context, llvm::UWTableKind::Default));
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", made));
  llvm::SmallVector<llvm::Value *, 4> arguments(llvm::make_pointer_range(made->args()));
  llvm::Value *number = builder.CreateZExt(arguments.back(), builder.getInt64Ty());
  arguments.back() = builder.CreateInBoundsGEP(builder.getInt8Ty(), accesses_, number);
  call(builder, hook, arguments)->setTailCallKind(llvm::CallInst::TCK_Tail);
  builder.CreateRetVoid();
  return made;
}

void Hooks::tellBegin(llvm::IRBuilder<> &builder, const ir::Access &access, model::LateId slot,
                      llvm::CallingConv::ID convention) const {
  call(builder, Hook::atomic_begin, {access.address, accessSlot(slot)}, convention);
}

void Hooks::tellEnd(llvm::IRBuilder<> &builder, const ir::Access &access, model::LateId slot,
                    llvm::CallingConv::ID convention) const {
  llvm::Value *info = builder.getInt32(atomicInfo(*access.instruction));
  if (llvm::isa<llvm::AtomicCmpXchgInst>(access.instruction)) {
    llvm::Value *succeeded = builder.CreateZExt(builder.CreateExtractValue(access.instruction, 1), info->getType());
    info = builder.CreateOr(info, builder.CreateShl(succeeded, abi::kSucceededShift));
  }
  call(builder, Hook::atomic_end, {access.address, accessSlot(slot), info}, convention);
}

// A lane that takes no part is told with a null address, which the runtime ignores: no branches.
void Hooks::tellLanes(llvm::IRBuilder<> &builder, const ir::Access &access, model::LateId slot,
                      llvm::CallingConv::ID convention) const {
  unsigned lanes = llvm::cast<llvm::FixedVectorType>(access.mask->getType())->getNumElements();
  bool scattered = access.address->getType()->isVectorTy();
  llvm::Constant *nowhere = llvm::ConstantPointerNull::get(builder.getPtrTy());
  const auto *constant = llvm::dyn_cast<llvm::Constant>(access.mask);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (constant && constant->getAggregateElement(lane)->isNullValue()) continue;
    llvm::Value *address = scattered
                               ? builder.CreateExtractElement(access.address, lane)
                               : builder.CreateConstGEP1_64(builder.getInt8Ty(), access.address, lane * access.size);
    llvm::Value *takesPart = builder.CreateExtractElement(access.mask, lane);
    llvm::SmallVector<llvm::Value *, 2> arguments{builder.CreateSelect(takesPart, address, nowhere)};
    tellPlain(builder, hookOf(access.kind), arguments, slot, convention);
  }
}

llvm::Constant *Hooks::slotIn(GlobalVariable *slots, uint32_t number) const {
  auto *byte = llvm::Type::getInt8Ty(module_.getContext());
  auto *index = ConstantInt::get(llvm::Type::getInt64Ty(module_.getContext()), number);
  return llvm::ConstantExpr::getInBoundsGetElementPtr(byte, slots, llvm::ArrayRef<llvm::Constant *>{index});
}

llvm::Constant *Hooks::accessSlot(model::LateId slot) const { return slotIn(accesses_, slot.value()); }
llvm::Constant *Hooks::functionSlot(uint32_t slot) const { return slotIn(functions_, slot); }

void Hooks::emitNote(uint64_t checksum) const {
  functions_->setInitializer(llvm::ConstantDataArray::get(module_.getContext(), functionBytes_));
  llvm::LLVMContext &context = module_.getContext();
  auto *word = llvm::Type::getInt32Ty(context);
  auto *wide = llvm::Type::getInt64Ty(context);
  constexpr unsigned kNameWords = (sizeof(abi::kNoteName) + 3) / 4;
  constexpr unsigned kDescriptor = 3 + kNameWords; // words before the descriptor
  auto *type = llvm::ArrayType::get(word, kDescriptor + sizeof(abi::UnitNote) / 4);
  auto *note = new GlobalVariable(module_, type, true, GlobalValue::PrivateLinkage, nullptr, "__deadheat_note");

  llvm::SmallVector<llvm::Constant *, 16> words;
  auto number = [&](uint64_t value) { words.push_back(ConstantInt::get(word, value & UINT32_MAX)); };
  auto distance = [&](GlobalVariable *target) { // from the field that holds it
    auto *index = ConstantInt::get(wide, words.size());
    auto *field = llvm::ConstantExpr::getInBoundsGetElementPtr(word, note, llvm::ArrayRef<llvm::Constant *>{index});
    auto *bytes = llvm::ConstantExpr::getSub(llvm::ConstantExpr::getPtrToInt(target, wide),
                                             llvm::ConstantExpr::getPtrToInt(field, wide));
    words.push_back(llvm::ConstantExpr::getTrunc(bytes, word));
  };
  number(sizeof(abi::kNoteName));
  number(sizeof(abi::UnitNote));
  number(abi::kNoteType);
  for (unsigned i = 0; i < kNameWords; ++i) {
    uint32_t letters = 0;
    for (unsigned byte = 0; byte < 4 && i * 4 + byte < sizeof(abi::kNoteName); ++byte)
      letters |= static_cast<uint32_t>(static_cast<unsigned char>(abi::kNoteName[i * 4 + byte])) << (8 * byte);
    number(letters);
  }
  number(abi::kAbiVersion);
  distance(table_);
  distance(functions_);
  number(functions_->getValueType()->getArrayNumElements());
  distance(accesses_);
  number(accesses_->getValueType()->getArrayNumElements());
  number(checksum);
  number(checksum >> 32);
  note->setInitializer(llvm::ConstantArray::get(type, words));
  note->setSection(abi::kNoteSection);
  keepLayout(*note);
  note->setAlignment(llvm::Align(4));
  llvm::appendToCompilerUsed(module_, {note});
  if (mayBeLibrary(module_)) emitConstructor(note);
}

// Only for code that may go into a shared library: that may arrive by dlopen, when the runtime has long looked around.
// One constructor per library, as it is in a COMDAT of its own.
void Hooks::emitConstructor(GlobalVariable *note) const {
  llvm::LLVMContext &context = module_.getContext();
  auto *pointer = llvm::PointerType::get(context, 0);
  auto *nothing = llvm::Type::getVoidTy(context);
  auto *attach = llvm::cast<llvm::Function>(
      module_.getOrInsertFunction(abi::kAttachFunction, llvm::FunctionType::get(nothing, {pointer}, false))
          .getCallee());
  if (attach->isDeclaration()) attach->setLinkage(GlobalValue::ExternalWeakLinkage);
  auto *constructor = llvm::Function::Create(llvm::FunctionType::get(nothing, false), GlobalValue::LinkOnceODRLinkage,
                                             kConstructorName, module_);
  constructor->setVisibility(GlobalValue::HiddenVisibility);
  constructor->setDSOLocal(true);
  constructor->setComdat(module_.getOrInsertComdat(kConstructorName));
  llvm::BasicBlock *entry = llvm::BasicBlock::Create(context, "", constructor);
  llvm::BasicBlock *present = llvm::BasicBlock::Create(context, "", constructor);
  llvm::BasicBlock *done = llvm::BasicBlock::Create(context, "", constructor);
  llvm::IRBuilder<> builder(entry);
  builder.CreateCondBr(builder.CreateIsNotNull(attach), present, done);
  builder.SetInsertPoint(present);
  builder.CreateCall(attach, {note});
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
  llvm::appendToGlobalCtors(module_, constructor, /*Priority=*/0, constructor);
}

} // namespace deadheat::instrument
