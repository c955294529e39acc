// One instruction -> its statements (model/statements.def).
//
// Claim   Every instruction that touches memory which another thread could reach, or that calls, has a statement; every
//         pointer's origin is told by statements, or unknown.
// Misses  Bytes of values that are stored in pieces; pointers inside vectors.
#pragma once

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstVisitor.h"
#include "llvm/IR/IntrinsicInst.h"

#include "extract/calls.h"
#include "extract/emitter.h"
#include "ir/assembly.h"
#include "ir/library_calls.h"
#include "ir/site.h"

namespace deadheat::extract {

class StatementVisitor : public llvm::InstVisitor<StatementVisitor> {
public:
  StatementVisitor(Emitter &emitter, CallWriter &calls, const ir::SiteIndex &index, bool isReduced)
      : emitter_(emitter), calls_(calls), index_(index), isReduced_(isReduced) {}

  void visitAllocaInst(llvm::AllocaInst &slot);
  void visitGetElementPtrInst(llvm::GetElementPtrInst &element);
  void visitCastInst(llvm::CastInst &cast);
  void visitFreezeInst(llvm::FreezeInst &freeze);
  void visitBinaryOperator(llvm::BinaryOperator &operation);
  void visitICmpInst(llvm::ICmpInst &compare);
  void visitSelectInst(llvm::SelectInst &select);
  void visitExtractValueInst(llvm::ExtractValueInst &part);
  void visitInsertValueInst(llvm::InsertValueInst &whole);
  void visitLoadInst(llvm::LoadInst &load);
  void visitStoreInst(llvm::StoreInst &store);
  void visitAtomicRMWInst(llvm::AtomicRMWInst &update);
  void visitAtomicCmpXchgInst(llvm::AtomicCmpXchgInst &exchange);
  void visitFenceInst(llvm::FenceInst &fence);
  void visitCallBase(llvm::CallBase &call);
  void visitInstruction(llvm::Instruction &) {} // control flow, and values that are not followed

private:
  bool visitAssembly(llvm::CallBase &call);
  void visitLibrary(llvm::CallBase &call);
  void visitIntrinsic(llvm::IntrinsicInst &intrinsic);
  void visitMemory(llvm::AnyMemIntrinsic &memory);
  model::Operand atElement(model::Operand base, const llvm::gep_type_iterator &position, int64_t &offset);
  model::SiteId siteOf(llvm::Instruction &instruction, uint8_t part, llvm::Value *address, model::AccessKind kind);

  Emitter &emitter_;
  CallWriter &calls_;
  const ir::SiteIndex &index_;
  bool isReduced_;
};

} // namespace deadheat::extract
