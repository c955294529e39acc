#include "extract/body.h"

#include <vector>

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

#include "extract/calls.h"
#include "extract/condition.h"
#include "extract/emitter.h"
#include "extract/path.h"
#include "extract/statements.h"

namespace deadheat::extract {

using llvm::dyn_cast;
using model::Edge;
using model::EdgeKind;
using model::Operand;
using model::Statement;
using model::StatementKind;

namespace {

class BodyWriter {
public:
  BodyWriter(llvm::Function &body, Emitter &emitter, StatementVisitor &visitor, model::Unit &unit)
      : emitter_(emitter), visitor_(visitor), unit_(unit) {
    for (llvm::BasicBlock *block : llvm::ReversePostOrderTraversal<llvm::Function *>(&body)) {
      numbers_[block] = static_cast<uint32_t>(blocks_.size());
      blocks_.push_back(block);
    }
  }

  void write() {
    for (llvm::BasicBlock *block : blocks_) writeBlock(*block);
    emitter_.finish();
  }

private:
  void writeBlock(llvm::BasicBlock &block) {
    model::Block row{model::StatementId(static_cast<uint32_t>(unit_.statements.size())), 0,
                     model::EdgeId(static_cast<uint32_t>(unit_.edges.size())), 0};
    for (const llvm::PHINode &phi : block.phis()) writePhi(phi);
    if (numbers_[&block] == 0) writePhiConstants();
    for (llvm::Instruction &instruction : block)
      if (!llvm::isa<llvm::PHINode>(instruction)) visitor_.visit(instruction);
    writeEnd(*block.getTerminator());
    row.statementCount = static_cast<uint32_t>(unit_.statements.size()) - row.firstStatement.value();
    row.edgeCount = static_cast<uint32_t>(unit_.edges.size()) - row.firstEdge.value();
    unit_.blocks.add(row);
  }

  // A switch may come by several edges: one row is enough.
  void writePhi(const llvm::PHINode &phi) {
    if (phi.use_empty() || !isFollowed(phi.getType())) return;
    model::ValueId result = emitter_.number(phi);
    llvm::SmallPtrSet<const llvm::BasicBlock *, 8> seen;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      auto from = numbers_.find(phi.getIncomingBlock(i));
      if (from == numbers_.end() || !seen.insert(from->first).second) continue;
      emitter_.addForward({.kind = StatementKind::Phi, .result = result, .number = from->second},
                          *phi.getIncomingValue(i));
    }
  }

  // Addresses inside objects take a statement, and there is no room for one between the rows of a phi.
  void writePhiConstants() {
    for (llvm::BasicBlock *block : blocks_)
      for (const llvm::PHINode &phi : block->phis())
        for (const llvm::Value *value : phi.incoming_values())
          if (llvm::isa<llvm::ConstantExpr>(value)) emitter_.alias(*value, emitter_.operand(value));
  }

  // An intrinsic that may unwind has no call statement to end the block with.
  void writeEnd(llvm::Instruction &end) {
    if (const auto *branch = dyn_cast<llvm::BranchInst>(&end)) return writeBranch(*branch);
    if (const auto *choice = dyn_cast<llvm::SwitchInst>(&end)) return writeSwitch(*choice);
    if (const auto *result = dyn_cast<llvm::ReturnInst>(&end)) {
      const llvm::Value *value = result->getReturnValue();
      return emitter_.add({.kind = StatementKind::Return, .a = value ? emitter_.operand(value) : Operand()});
    }
    if (const auto *invoke = dyn_cast<llvm::InvokeInst>(&end)) {
      if (llvm::isa<llvm::IntrinsicInst>(invoke)) emitter_.add({.kind = StatementKind::Jump});
      addEdge(*invoke->getNormalDest());
      return addEdge(*invoke->getUnwindDest(), EdgeKind::Unwind);
    }
    bool isCall = llvm::isa<llvm::CallBase>(end), hasEdges = end.getNumSuccessors() != 0;
    if (!isCall) emitter_.add({.kind = hasEdges ? StatementKind::Jump : StatementKind::Stop});
    for (llvm::BasicBlock *next : llvm::successors(&end)) addEdge(*next);
  }

  void writeBranch(const llvm::BranchInst &branch) {
    addEdge(*branch.getSuccessor(0));
    if (branch.isUnconditional()) return emitter_.add({.kind = StatementKind::Jump});
    addEdge(*branch.getSuccessor(1));
    Condition condition = conditionOf(branch.getCondition());
    Statement row{.kind = StatementKind::Branch, .a = emitter_.operand(condition.left)};
    row.b = condition.right ? emitter_.operand(condition.right) : Operand::number(0);
    row.number = static_cast<int64_t>(condition.predicate);
    emitter_.add(row);
  }

  void writeSwitch(const llvm::SwitchInst &choice) {
    emitter_.add({.kind = StatementKind::Switch, .a = emitter_.operand(choice.getCondition())});
    addEdge(*choice.getDefaultDest(), EdgeKind::Default);
    for (const auto &one : choice.cases()) {
      const llvm::APInt &value = one.getCaseValue()->getValue();
      addEdge(*one.getCaseSuccessor(), EdgeKind::Case, value.getSignificantBits() <= 64 ? value.getSExtValue() : 0);
    }
  }

  void addEdge(const llvm::BasicBlock &target, EdgeKind kind = EdgeKind::Normal, int64_t value = 0) {
    unit_.edges.add({numbers_.lookup(&target), kind, value});
  }

  Emitter &emitter_;
  StatementVisitor &visitor_;
  model::Unit &unit_;
  std::vector<llvm::BasicBlock *> blocks_;
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> numbers_;
};

} // namespace

void extractBody(llvm::Function &body, model::FunctionId id, bool isReduced, SymbolTable &symbols, TypeIndex &types,
                 const ir::SiteIndex &index, model::Unit &unit) {
  Emitter emitter(body, symbols, unit);
  PathNamer namer(body, types);
  CallWriter calls(emitter, namer, unit);
  StatementVisitor visitor(emitter, calls, index, isReduced);
  model::BlockId first(static_cast<uint32_t>(unit.blocks.size()));
  BodyWriter(body, emitter, visitor, unit).write();
  model::Function &row = unit.functions[id];
  row.firstBlock = first;
  row.blockCount = static_cast<uint32_t>(unit.blocks.size()) - first.value();
  row.parameterCount = static_cast<uint32_t>(body.arg_size());
  row.valueCount = emitter.valueCount();
}

} // namespace deadheat::extract
