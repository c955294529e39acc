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
    for (const llvm::BasicBlock *block : blocks_) planParts(*block);
  }

  void write() {
    for (llvm::BasicBlock *block : blocks_) writeBlock(*block);
    for (const llvm::BasicBlock *block : parted_) writeParts(*block);
    emitter_.finish();
  }

private:
  // A branch that asks several things becomes several branches: the first in the block itself, the others in blocks of
  // their own, which come after all that LLVM knows.
  struct Parting {
    Parts parts;
    uint32_t firstBlock = 0; // of the second part
  };

  void planParts(const llvm::BasicBlock &block) {
    const auto *branch = dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || branch->isUnconditional()) return;
    Parts parts = partsOf(*branch);
    if (parts.truths.size() < 2) return;
    uint32_t first = static_cast<uint32_t>(blocks_.size()) + partBlocks_;
    partBlocks_ += static_cast<uint32_t>(parts.truths.size()) - 1;
    partings_[&block] = {std::move(parts), first};
    parted_.push_back(&block);
  }

  // Where control comes from when it comes from `from` to `to`: with several parts, the last one alone leads to the one
  // target, any to the other.
  llvm::SmallVector<uint32_t, 2> origins(const llvm::BasicBlock &from, const llvm::BasicBlock &to) const {
    auto found = partings_.find(&from);
    if (found == partings_.end()) return {numbers_.lookup(&from)};
    const Parting &parting = found->second;
    auto end = parting.firstBlock + static_cast<uint32_t>(parting.parts.truths.size()) - 1;
    const llvm::Instruction *branch = from.getTerminator();
    if (branch->getSuccessor(parting.parts.isAnd ? 1 : 0) != &to) return {end - 1};
    llvm::SmallVector<uint32_t, 2> all{numbers_.lookup(&from)};
    for (uint32_t block = parting.firstBlock; block < end; ++block) all.push_back(block);
    return all;
  }

  void writeParts(const llvm::BasicBlock &block) {
    const Parting &parting = partings_.find(&block)->second;
    for (size_t i = 1; i < parting.parts.truths.size(); ++i) {
      model::StatementId statement(static_cast<uint32_t>(unit_.statements.size()));
      model::EdgeId edge(static_cast<uint32_t>(unit_.edges.size()));
      writePart(llvm::cast<llvm::BranchInst>(*block.getTerminator()), parting, i);
      unit_.blocks.add({statement, static_cast<uint32_t>(unit_.statements.size()) - statement.value(), edge, 2});
    }
  }

  void writePart(const llvm::BranchInst &branch, const Parting &parting, size_t index) {
    bool isLast = index + 1 == parting.parts.truths.size();
    uint32_t targets[] = {numbers_.lookup(branch.getSuccessor(0)), numbers_.lookup(branch.getSuccessor(1))};
    if (!isLast) targets[parting.parts.isAnd ? 0 : 1] = parting.firstBlock + static_cast<uint32_t>(index);
    for (uint32_t target : targets) unit_.edges.add({target, EdgeKind::Normal, 0});
    writeQuestion(parting.parts.truths[index]);
  }

  void writeBlock(llvm::BasicBlock &block) {
    model::Block row{model::StatementId(static_cast<uint32_t>(unit_.statements.size())), 0,
                     model::EdgeId(static_cast<uint32_t>(unit_.edges.size())), 0};
    for (const llvm::PHINode &phi : block.phis()) writePhi(phi, block);
    if (numbers_[&block] == 0) writePhiConstants();
    for (llvm::Instruction &instruction : block)
      if (!llvm::isa<llvm::PHINode>(instruction)) visitor_.visit(instruction);
    writeEnd(*block.getTerminator());
    row.statementCount = static_cast<uint32_t>(unit_.statements.size()) - row.firstStatement.value();
    row.edgeCount = static_cast<uint32_t>(unit_.edges.size()) - row.firstEdge.value();
    unit_.blocks.add(row);
  }

  // A switch may come by several edges: one row is enough.
  void writePhi(const llvm::PHINode &phi, const llvm::BasicBlock &block) {
    if (phi.use_empty() || !isFollowed(phi.getType())) return;
    model::ValueId result = emitter_.number(phi);
    llvm::SmallPtrSet<const llvm::BasicBlock *, 8> seen;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      auto from = numbers_.find(phi.getIncomingBlock(i));
      if (from == numbers_.end() || !seen.insert(from->first).second) continue;
      for (uint32_t origin : origins(*from->first, block))
        emitter_.addForward({.kind = StatementKind::Phi, .result = result, .number = origin}, *phi.getIncomingValue(i));
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
    if (auto found = partings_.find(branch.getParent()); found != partings_.end())
      return writePart(branch, found->second, 0);
    addEdge(*branch.getSuccessor(0));
    if (branch.isUnconditional()) return emitter_.add({.kind = StatementKind::Jump});
    addEdge(*branch.getSuccessor(1));
    writeQuestion(branch.getCondition());
  }

  void writeQuestion(const llvm::Value *truth) {
    Condition condition = conditionOf(truth);
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
  llvm::DenseMap<const llvm::BasicBlock *, Parting> partings_;
  std::vector<const llvm::BasicBlock *> parted_;
  uint32_t partBlocks_ = 0;
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
