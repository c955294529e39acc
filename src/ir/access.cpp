#include "ir/access.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include "ir/assembly.h"
#include "ir/library_calls.h"

namespace deadheat::ir {

using llvm::dyn_cast;
using llvm::isa;
using model::AccessKind;

namespace {

// LLVM gives up after a hundred uses by default: an array in an unrolled loop has more, and so has a variable at -O0.
constexpr unsigned kAllUses = UINT_MAX;

// Decides which memory is private to a call or never changes, and remembers: capture tracking walks all uses of a slot.
class PrivateMemory {
public:
  bool contains(const llvm::Value *address) {
    const llvm::Value *object = llvm::getUnderlyingObject(address, /*MaxLookup=*/0);
    if (const auto *global = dyn_cast<llvm::GlobalVariable>(object)) return isUnshared(*global);
    if (const auto *pointer = dyn_cast<llvm::LoadInst>(object)) return isVtable(*pointer);
    const auto *argument = dyn_cast<llvm::Argument>(object);
    if (!isa<llvm::AllocaInst>(object) && !(argument && argument->hasByValAttr())) return false;
    auto [entry, isNew] = captured_.try_emplace(object, false);
    if (isNew) entry->second = llvm::PointerMayBeCaptured(object, true, true, kAllUses);
    return !entry->second;
  }

private:
  static bool isUnshared(const llvm::GlobalVariable &global) {
    llvm::StringRef name = global.getName();
    return global.isConstant() || name.starts_with("__llvm_") || name.starts_with("__prof") ||
           name.starts_with("llvm.");
  }

  // What an object's pointer to its virtual functions points to is constant; without optimisation nothing tells it
  // apart.
  static bool isVtable(const llvm::LoadInst &pointer) {
    const llvm::MDNode *tag = pointer.getMetadata(llvm::LLVMContext::MD_tbaa);
    return tag && tag->isTBAAVtableAccess();
  }

  llvm::DenseMap<const llvm::Value *, bool> captured_;
};

uint32_t storeSize(const llvm::DataLayout &layout, llvm::Type *type) {
  llvm::TypeSize size = layout.getTypeStoreSize(type);
  return size.isScalable() ? 0 : static_cast<uint32_t>(size.getFixedValue());
}

uint32_t constantSize(const llvm::Value *bytes) {
  const auto *constant = dyn_cast<llvm::ConstantInt>(bytes);
  return constant && constant->getValue().isIntN(32) ? static_cast<uint32_t>(constant->getZExtValue()) : 0;
}

// The lanes that anything but a shuffle by constants, or one of these, looks at; null: all of them.
llvm::Constant *usedLanes(const llvm::LoadInst &load) {
  auto *vector = dyn_cast<llvm::FixedVectorType>(load.getType());
  if (!vector || load.use_empty()) return nullptr;
  unsigned count = vector->getNumElements();
  llvm::SmallBitVector used(count);
  for (const llvm::User *user : load.users()) {
    const auto *shuffle = dyn_cast<llvm::ShuffleVectorInst>(user);
    if (!shuffle) return nullptr;
    for (int lane : shuffle->getShuffleMask()) {
      if (lane < 0) continue;
      bool isFirst = static_cast<unsigned>(lane) < count;
      if (shuffle->getOperand(isFirst ? 0 : 1) == &load) used.set(static_cast<unsigned>(lane) % count);
    }
  }
  if (used.all() || used.none()) return nullptr;
  llvm::SmallVector<llvm::Constant *, 16> lanes;
  for (unsigned lane = 0; lane < count; ++lane)
    lanes.push_back(llvm::ConstantInt::getBool(load.getContext(), used[lane]));
  return llvm::ConstantVector::get(lanes);
}

// Turns instructions into accesses, one method per family.
class Classifier {
public:
  Classifier(llvm::Function &function, LibraryCalls library, llvm::SmallVectorImpl<Access> &out)
      : layout_(function.getParent()->getDataLayout()), library_(library), out_(out) {}

  void visit(llvm::Instruction &instruction) {
    if (instruction.hasMetadata(llvm::LLVMContext::MD_nosanitize)) return;
    if (auto *load = dyn_cast<llvm::LoadInst>(&instruction)) return visitLoad(*load);
    if (auto *store = dyn_cast<llvm::StoreInst>(&instruction)) {
      AccessKind kind = store->isAtomic() ? AccessKind::AtomicWrite : AccessKind::Write;
      uint32_t size = storeSize(layout_, store->getValueOperand()->getType());
      return add({store, store->getPointerOperand(), nullptr, nullptr, kind, size});
    }
    if (auto *update = dyn_cast<llvm::AtomicRMWInst>(&instruction))
      return addUpdate(*update, update->getPointerOperand(), update->getType());
    if (auto *exchange = dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      return addUpdate(*exchange, exchange->getPointerOperand(), exchange->getCompareOperand()->getType());
    if (auto *fence = dyn_cast<llvm::FenceInst>(&instruction)) return addFence(*fence);
    if (auto *intrinsic = dyn_cast<llvm::IntrinsicInst>(&instruction)) return visitIntrinsic(*intrinsic);
    if (auto *call = dyn_cast<llvm::CallInst>(&instruction); call && call->isInlineAsm()) return visitAssembly(*call);
    if (auto *call = dyn_cast<llvm::CallBase>(&instruction); call && library_ == LibraryCalls::Include)
      visitLibrary(*call);
  }

private:
  // A vector load whose unused lanes lie between used ones was widened over gaps of a record: only the used lanes are
  // accesses.
  void visitLoad(llvm::LoadInst &load) {
    AccessKind kind = load.isAtomic() ? AccessKind::AtomicRead : AccessKind::Read;
    if (llvm::Constant *lanes = usedLanes(load))
      return add(
          {&load, load.getPointerOperand(), nullptr, lanes, kind, storeSize(layout_, load.getType()->getScalarType())});
    add({&load, load.getPointerOperand(), nullptr, nullptr, kind, storeSize(layout_, load.getType())});
  }

  void addUpdate(llvm::Instruction &instruction, llvm::Value *address, llvm::Type *type) {
    add({&instruction, address, nullptr, nullptr, AccessKind::AtomicUpdate, storeSize(layout_, type)});
  }

  // A compiler barrier orders nothing between threads.
  void addFence(llvm::FenceInst &fence) {
    if (fence.getSyncScopeID() != llvm::SyncScope::SingleThread)
      out_.push_back({&fence, nullptr, nullptr, nullptr, AccessKind::Fence});
  }

  void visitAssembly(llvm::CallInst &call) {
    Assembly assembly = readAssembly(call);
    if (assembly.effect == AssemblyEffect::Fence) out_.push_back({&call, nullptr, nullptr, nullptr, AccessKind::Fence});
    if (assembly.effect == AssemblyEffect::Update)
      add({&call, assembly.address, nullptr, nullptr, AccessKind::AtomicUpdate, assembly.size});
  }

  void visitLibrary(llvm::CallBase &call) {
    uint8_t part = 0;
    for (const LibraryAccess &row : libraryAccesses(call)) {
      AccessKind kind = row.isWrite ? AccessKind::RangeWrite : AccessKind::RangeRead;
      add({.instruction = &call,
           .address = call.getArgOperand(row.argument),
           .kind = kind,
           .size = sizeIn(call, row),
           .part = part++,
           .isText = row.length.isText});
    }
  }

  // 0: known only at run time; of a text, as many as there may be.
  static uint32_t sizeIn(const llvm::CallBase &call, const LibraryAccess &row) {
    auto constant = [&](unsigned argument) {
      return argument < call.arg_size() ? constantSize(call.getArgOperand(argument)) : 0;
    };
    uint64_t size = row.length.bytes == kNoArgument ? row.bytes : constant(row.length.bytes);
    if (row.length.times != kNoArgument) size *= constant(row.length.times);
    if (size > UINT32_MAX) size = 0;
    return size == 0 && row.length.isText ? 1 : static_cast<uint32_t>(size);
  }

  void visitIntrinsic(llvm::IntrinsicInst &intrinsic) {
    if (auto *memory = dyn_cast<llvm::AnyMemIntrinsic>(&intrinsic)) return visitRange(*memory);
    switch (intrinsic.getIntrinsicID()) {
    case llvm::Intrinsic::masked_load: return addMasked(intrinsic, 0, 2, AccessKind::Read, intrinsic.getType());
    case llvm::Intrinsic::masked_gather: return addMasked(intrinsic, 0, 2, AccessKind::Read, intrinsic.getType());
    case llvm::Intrinsic::masked_store:
    case llvm::Intrinsic::masked_scatter:
      return addMasked(intrinsic, 1, 3, AccessKind::Write, intrinsic.getArgOperand(0)->getType());
    default: return; // other intrinsics touch no memory that a program can name
    }
  }

  void visitRange(llvm::AnyMemIntrinsic &memory) {
    llvm::Value *bytes = memory.getLength();
    add({&memory, memory.getRawDest(), bytes, nullptr, AccessKind::RangeWrite, constantSize(bytes), 0});
    if (auto *copy = dyn_cast<llvm::AnyMemTransferInst>(&memory))
      add({&memory, copy->getRawSource(), bytes, nullptr, AccessKind::RangeRead, constantSize(bytes), 1});
  }

  // One access per instruction, though it stands for several lanes; `size` is that of one lane.
  void addMasked(llvm::IntrinsicInst &intrinsic, unsigned address, unsigned mask, AccessKind kind, llvm::Type *vector) {
    if (!isa<llvm::FixedVectorType>(vector)) return;
    uint32_t lane = storeSize(layout_, llvm::cast<llvm::VectorType>(vector)->getElementType());
    add({&intrinsic, intrinsic.getArgOperand(address), nullptr, intrinsic.getArgOperand(mask), kind, lane});
  }

  void add(Access access) {
    llvm::Type *type = access.address->getType()->getScalarType();
    if (type->getPointerAddressSpace() != 0 || access.address->isSwiftError()) return;
    if (access.address->getType()->isPointerTy() && private_.contains(access.address)) return;
    out_.push_back(access);
  }

  const llvm::DataLayout &layout_;
  LibraryCalls library_;
  llvm::SmallVectorImpl<Access> &out_;
  PrivateMemory private_;
};

} // namespace

bool isWrite(AccessKind kind) {
  return kind == AccessKind::Write || kind == AccessKind::RangeWrite || kind == AccessKind::AtomicWrite ||
         kind == AccessKind::AtomicUpdate;
}

bool isRange(AccessKind kind) { return kind == AccessKind::RangeRead || kind == AccessKind::RangeWrite; }

bool isAtomic(AccessKind kind) {
  return kind == AccessKind::AtomicRead || kind == AccessKind::AtomicWrite || kind == AccessKind::AtomicUpdate;
}

llvm::SmallVector<Access, 0> accessesOf(llvm::Function &function, LibraryCalls library) {
  llvm::SmallVector<Access, 0> accesses;
  Classifier classifier(function, library, accesses);
  for (llvm::Instruction &instruction : llvm::instructions(function)) classifier.visit(instruction);
  return accesses;
}

} // namespace deadheat::ir
