#include "extract/statements.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include "extract/condition.h"
#include "extract/inline_wrappers.h"
#include "model/moves.h"

namespace deadheat::extract {

using llvm::dyn_cast;
using model::AccessKind;
using model::Operand;
using model::Statement;
using model::StatementKind;

namespace {

// By the number of llvm::AtomicOrdering; unordered (Java's) is weaker than relaxed, and the last of ours to compare with.
int64_t orderOf(llvm::AtomicOrdering ordering) {
  using model::Order;
  constexpr Order kOrders[] = {Order::Relaxed, Order::Relaxed, Order::Relaxed,        Order::Consume,
                               Order::Acquire, Order::Release, Order::AcquireRelease, Order::Sequential};
  return static_cast<int64_t>(kOrders[static_cast<size_t>(ordering)]);
}

// Intrinsics whose result is their first argument.
bool isTransparent(const llvm::IntrinsicInst &intrinsic) {
  switch (intrinsic.getIntrinsicID()) {
  case llvm::Intrinsic::expect:
  case llvm::Intrinsic::expect_with_probability:
  case llvm::Intrinsic::launder_invariant_group:
  case llvm::Intrinsic::strip_invariant_group:
  case llvm::Intrinsic::threadlocal_address:
  case llvm::Intrinsic::ptrmask:
  case llvm::Intrinsic::ptr_annotation:
  case llvm::Intrinsic::ssa_copy: return true;
  default: return false;
  }
}

bool isLandingPad(const llvm::Value &value) { return llvm::isa<llvm::LandingPadInst>(value); }

int64_t byteCount(const llvm::Value *bytes) {
  const auto *constant = dyn_cast<llvm::ConstantInt>(bytes);
  return constant && constant->getValue().isIntN(63) ? static_cast<int64_t>(constant->getZExtValue()) : -1;
}

} // namespace

void StatementVisitor::visitAllocaInst(llvm::AllocaInst &slot) {
  auto size = slot.getAllocationSize(emitter_.layout());
  int64_t bytes = size && !size->isScalable() ? static_cast<int64_t>(size->getFixedValue()) : 0;
  emitter_.define(slot, {.kind = StatementKind::Stack, .number = bytes});
}

// What a pointer to member adds to the object before the call: nothing, but for classes with several bases.
static bool isMemberAdjustment(const llvm::Value *index) {
  const auto *part = dyn_cast<llvm::ExtractValueInst>(index);
  if (!part || part->getIndices() != llvm::ArrayRef<unsigned>(1)) return false;
  const auto *pair = dyn_cast<llvm::StructType>(part->getAggregateOperand()->getType());
  return pair && pair->isLiteral() && pair->getNumElements() == 2 &&
         llvm::all_of(pair->elements(), [](const llvm::Type *type) { return type->isIntegerTy(64); });
}

// Adds one index of an address: constants gather in `offset` until an index that is not known here.
Operand StatementVisitor::atElement(Operand base, const llvm::gep_type_iterator &position, int64_t &offset) {
  const auto *constant = dyn_cast<llvm::ConstantInt>(position.getOperand());
  if (llvm::StructType *record = position.getStructTypeOrNull()) {
    offset += static_cast<int64_t>(
        emitter_.layout().getStructLayout(record)->getElementOffset(constant->getZExtValue()).getFixedValue());
    return base;
  }
  auto stride = static_cast<int64_t>(position.getSequentialElementStride(emitter_.layout()).getKnownMinValue());
  if (constant) {
    offset += constant->getSExtValue() * stride;
    return base;
  }
  if (isMemberAdjustment(position.getOperand())) return base;
  if (offset != 0) base = emitter_.compute({.kind = StatementKind::Field, .a = base, .number = offset});
  offset = 0;
  Operand index = emitter_.operand(position.getOperand());
  return emitter_.compute({.kind = StatementKind::Index, .a = base, .b = index, .number = stride});
}

void StatementVisitor::visitGetElementPtrInst(llvm::GetElementPtrInst &element) {
  if (!element.getType()->isPointerTy()) return;
  Operand base = emitter_.operand(element.getPointerOperand());
  int64_t offset = 0;
  for (auto position = llvm::gep_type_begin(element); position != llvm::gep_type_end(element); ++position)
    base = atElement(base, position, offset);
  if (offset == 0) return emitter_.alias(element, base);
  emitter_.define(element, {.kind = StatementKind::Field, .a = base, .number = offset});
}

// What is cut off may matter, except where a byte becomes a truth.
void StatementVisitor::visitCastInst(llvm::CastInst &cast) {
  if (!isFollowed(cast.getType()) || !isFollowed(cast.getSrcTy())) return;
  Operand from = emitter_.operand(cast.getOperand(0));
  bool isCut = llvm::isa<llvm::TruncInst>(cast) && !(cast.getType()->isIntegerTy(1) && cast.getSrcTy()->isIntegerTy(8));
  if (!isCut || from.kind == model::OperandKind::None) return emitter_.alias(cast, from);
  emitter_.define(cast, {.kind = StatementKind::Copy, .a = from});
}

void StatementVisitor::visitFreezeInst(llvm::FreezeInst &freeze) {
  emitter_.alias(freeze, emitter_.operand(freeze.getOperand(0)));
}

// The bytes between two pointers, divided by the size of what lies there, are no fold: nothing is left over.
static bool folds(const llvm::BinaryOperator &operation) {
  switch (operation.getOpcode()) {
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv:
  case llvm::Instruction::LShr:
  case llvm::Instruction::AShr: return !operation.isExact();
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem:
  case llvm::Instruction::And: return true;
  default: return false;
  }
}

void StatementVisitor::visitBinaryOperator(llvm::BinaryOperator &operation) {
  if (!isFollowed(operation.getType()) || isFoldedIntoBranch(operation)) return;
  Operand left = emitter_.operand(operation.getOperand(0)), right = emitter_.operand(operation.getOperand(1));
  const int64_t number = folds(operation) ? model::kFolds : 0;
  emitter_.define(operation, {.kind = StatementKind::Compute, .a = left, .b = right, .number = number});
}

void StatementVisitor::visitICmpInst(llvm::ICmpInst &compare) {
  if (!isFollowed(compare.getType()) || isFoldedIntoBranch(compare)) return;
  Operand left = emitter_.operand(compare.getOperand(0)), right = emitter_.operand(compare.getOperand(1));
  auto predicate = static_cast<int64_t>(predicateOf(compare));
  emitter_.define(compare, {.kind = StatementKind::Compare, .a = left, .b = right, .number = predicate});
}

void StatementVisitor::visitSelectInst(llvm::SelectInst &select) {
  if (!isFollowed(select.getType()) || isFoldedIntoBranch(select)) return;
  Operand left = emitter_.operand(select.getTrueValue()), right = emitter_.operand(select.getFalseValue());
  emitter_.define(select, {.kind = StatementKind::Choose, .a = left, .b = right});
}

void StatementVisitor::visitExtractValueInst(llvm::ExtractValueInst &part) {
  const llvm::Value &whole = *part.getAggregateOperand();
  if (!isFollowed(part.getType()) || isLandingPad(whole)) return;
  Operand from = emitter_.operand(&whole);
  const llvm::AtomicCmpXchgInst *exchange = exchangeOf(&part);
  if (!exchange) return emitter_.alias(part, from);
  if (isFoldedIntoBranch(part)) return;
  Operand expected = emitter_.operand(exchange->getCompareOperand());
  auto predicate = static_cast<int64_t>(model::Predicate::Equal);
  emitter_.define(part, {.kind = StatementKind::Compare, .a = from, .b = expected, .number = predicate});
}

void StatementVisitor::visitInsertValueInst(llvm::InsertValueInst &whole) {
  Operand rest = emitter_.operand(whole.getAggregateOperand());
  Operand part = emitter_.operand(whole.getInsertedValueOperand());
  if (rest.kind == model::OperandKind::None) return emitter_.alias(whole, part);
  if (part.kind == model::OperandKind::None) return emitter_.alias(whole, rest);
  emitter_.define(whole, {.kind = StatementKind::Choose, .a = rest, .b = part});
}

// Where library code was inlined, an access may have been split, and lost its number; its place still tells it.
model::SiteId StatementVisitor::siteOf(llvm::Instruction &instruction, uint8_t part, llvm::Value *address,
                                       AccessKind kind) {
  model::SiteId site = ir::numberOf(instruction, part);
  if (site.valid() || !isReduced_ || wasNoAccess(instruction)) return site;
  if (llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(address))) return site;
  ir::Access access{.instruction = &instruction, .address = address, .kind = kind, .part = part};
  ir::Traced traced = index_.trace(access);
  return traced.sites.empty() ? site : traced.sites.front();
}

void StatementVisitor::visitLoadInst(llvm::LoadInst &load) {
  Statement row{.kind = StatementKind::Load, .a = emitter_.operand(load.getPointerOperand())};
  row.number = load.isVolatile();
  row.site = siteOf(load, 0, load.getPointerOperand(), AccessKind::Read);
  if (load.isAtomic()) {
    row.kind = StatementKind::AtomicLoad;
    row.number = orderOf(load.getOrdering());
  }
  emitter_.define(load, row);
}

void StatementVisitor::visitStoreInst(llvm::StoreInst &store) {
  Operand address = emitter_.operand(store.getPointerOperand()), value = emitter_.operand(store.getValueOperand());
  Statement row{.kind = StatementKind::Store, .a = address, .b = value, .number = store.isVolatile()};
  row.site = siteOf(store, 0, store.getPointerOperand(), AccessKind::Write);
  if (store.isAtomic()) {
    row.kind = StatementKind::AtomicStore;
    row.number = orderOf(store.getOrdering());
  }
  emitter_.add(row);
}

// A number that is not known mostly counts how many are taken.
static int64_t moveOf(const llvm::AtomicRMWInst &update) {
  using model::Move;
  const bool isAdded = update.getOperation() == llvm::AtomicRMWInst::Add;
  if (!isAdded && update.getOperation() != llvm::AtomicRMWInst::Sub) return 0;
  const auto *amount = dyn_cast<llvm::ConstantInt>(update.getValOperand());
  if (amount && amount->isZero()) return 0;
  const bool isUp = isAdded != (amount && amount->isNegative());
  return static_cast<int64_t>(isUp ? Move::Up : Move::Down) << model::kMoveShift;
}

// Whoever does not look at what was there has only written: nothing tells it what others have done before.
void StatementVisitor::visitAtomicRMWInst(llvm::AtomicRMWInst &update) {
  Statement row{.kind = update.use_empty() ? StatementKind::AtomicStore : StatementKind::AtomicUpdate,
                .a = emitter_.operand(update.getPointerOperand()),
                .number = orderOf(update.getOrdering()) | moveOf(update)};
  if (update.getOperation() == llvm::AtomicRMWInst::Xchg) row.b = emitter_.operand(update.getValOperand());
  row.site = ir::numberOf(update, 0);
  emitter_.define(update, row);
}

void StatementVisitor::visitAtomicCmpXchgInst(llvm::AtomicCmpXchgInst &exchange) {
  Operand address = emitter_.operand(exchange.getPointerOperand());
  Operand value = emitter_.operand(exchange.getNewValOperand());
  Statement row{.kind = StatementKind::AtomicUpdate, .a = address, .b = value};
  row.number = orderOf(exchange.getSuccessOrdering());
  row.site = ir::numberOf(exchange, 0);
  emitter_.define(exchange, row);
}

void StatementVisitor::visitFenceInst(llvm::FenceInst &fence) {
  if (fence.getSyncScopeID() == llvm::SyncScope::SingleThread) return;
  Statement row{.kind = StatementKind::Fence, .number = orderOf(fence.getOrdering())};
  row.site = ir::numberOf(fence, 0);
  emitter_.add(row);
}

void StatementVisitor::visitMemory(llvm::AnyMemIntrinsic &memory) {
  Statement row{.kind = StatementKind::Fill, .a = emitter_.operand(memory.getRawDest())};
  row.number = byteCount(memory.getLength());
  row.site = siteOf(memory, 0, memory.getRawDest(), AccessKind::RangeWrite);
  if (auto *copy = dyn_cast<llvm::AnyMemTransferInst>(&memory)) {
    row.kind = StatementKind::Transfer;
    row.b = emitter_.operand(copy->getRawSource());
    row.other = siteOf(memory, 1, copy->getRawSource(), AccessKind::RangeRead);
  } else if (auto *fill = dyn_cast<llvm::AnyMemSetInst>(&memory)) {
    row.b = emitter_.operand(fill->getValue());
  }
  emitter_.add(row);
}

// Those that no table names compute a number of their arguments, or matter to the compiler only.
void StatementVisitor::visitIntrinsic(llvm::IntrinsicInst &intrinsic) {
  if (auto *memory = dyn_cast<llvm::AnyMemIntrinsic>(&intrinsic)) return visitMemory(*memory);
  if (isTransparent(intrinsic)) return emitter_.alias(intrinsic, emitter_.operand(intrinsic.getArgOperand(0)));
  model::SiteId site = ir::numberOf(intrinsic, 0);
  if (site.valid()) { // a masked access: its lanes lie where no single operand says
    bool isStore = intrinsic.getType()->isVoidTy();
    return emitter_.add({.kind = isStore ? StatementKind::Store : StatementKind::Load, .site = site});
  }
  if (intrinsic.use_empty() || !isFollowed(intrinsic.getType())) return;
  Statement row{.kind = StatementKind::Compute};
  if (intrinsic.arg_size() > 0) row.a = emitter_.operand(intrinsic.getArgOperand(0));
  if (intrinsic.arg_size() > 1) row.b = emitter_.operand(intrinsic.getArgOperand(1));
  emitter_.define(intrinsic, row);
}

bool StatementVisitor::visitAssembly(llvm::CallBase &call) {
  ir::Assembly assembly = ir::readAssembly(call);
  if (assembly.effect == ir::AssemblyEffect::None) return false;
  Statement row{.kind = StatementKind::Fence, .number = orderOf(llvm::AtomicOrdering::SequentiallyConsistent)};
  row.site = ir::numberOf(call, 0);
  if (assembly.effect == ir::AssemblyEffect::Update) {
    row.kind = StatementKind::AtomicUpdate;
    row.a = emitter_.operand(assembly.address);
    emitter_.define(call, row);
  } else {
    emitter_.add(row);
  }
  return true;
}

void StatementVisitor::visitCallBase(llvm::CallBase &call) {
  if (auto *intrinsic = dyn_cast<llvm::IntrinsicInst>(&call)) return visitIntrinsic(*intrinsic);
  if (call.isInlineAsm() && visitAssembly(call)) return;
  visitLibrary(call);
  calls_.add(call);
}

// What the library does to memory comes before the call that does it: its result is known afterwards.
void StatementVisitor::visitLibrary(llvm::CallBase &call) {
  uint8_t part = 0;
  for (const ir::LibraryAccess &row : ir::libraryAccesses(call)) {
    model::SiteId site = ir::numberOf(call, part++);
    if (!site.valid()) continue;
    emitter_.add({.kind = row.isWrite ? StatementKind::Fill : StatementKind::Load,
                  .a = emitter_.operand(call.getArgOperand(row.argument)),
                  .number = row.isWrite ? -1 : 0, // bytes: not known
                  .site = site});
  }
}

} // namespace deadheat::extract
