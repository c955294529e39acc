#include "extract/condition.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace deadheat::extract {

using llvm::dyn_cast;
using model::Predicate;
using namespace llvm::PatternMatch;

namespace {

struct Row {
  llvm::CmpInst::Predicate from;
  Predicate to;
};
constexpr Row kPredicates[] = {
    {llvm::CmpInst::ICMP_EQ, Predicate::Equal},           {llvm::CmpInst::ICMP_NE, Predicate::NotEqual},
    {llvm::CmpInst::ICMP_SLT, Predicate::Less},           {llvm::CmpInst::ICMP_ULT, Predicate::Less},
    {llvm::CmpInst::ICMP_SLE, Predicate::LessOrEqual},    {llvm::CmpInst::ICMP_ULE, Predicate::LessOrEqual},
    {llvm::CmpInst::ICMP_SGT, Predicate::Greater},        {llvm::CmpInst::ICMP_UGT, Predicate::Greater},
    {llvm::CmpInst::ICMP_SGE, Predicate::GreaterOrEqual}, {llvm::CmpInst::ICMP_UGE, Predicate::GreaterOrEqual}};

// By the order of the enumeration.
constexpr Predicate kOpposites[] = {Predicate::NotEqual, Predicate::Equal,       Predicate::GreaterOrEqual,
                                    Predicate::Greater,  Predicate::LessOrEqual, Predicate::Less,
                                    Predicate::Unknown};

Predicate opposite(Predicate predicate) { return kOpposites[static_cast<size_t>(predicate)]; }

// A value that is zero exactly when the returned one is; null: there is none. A byte that is cut to one bit is a bool.
const llvm::Value *sameTruth(const llvm::Value *value) {
  const auto *instruction = dyn_cast<llvm::Instruction>(value);
  if (!instruction) return nullptr;
  if (llvm::isa<llvm::ZExtInst, llvm::SExtInst, llvm::FreezeInst>(instruction)) return instruction->getOperand(0);
  if (llvm::isa<llvm::TruncInst>(instruction) && instruction->getType()->isIntegerTy(1) &&
      instruction->getOperand(0)->getType()->isIntegerTy(8))
    return instruction->getOperand(0);
  const auto *intrinsic = dyn_cast<llvm::IntrinsicInst>(instruction);
  return intrinsic && intrinsic->getIntrinsicID() == llvm::Intrinsic::expect ? intrinsic->getArgOperand(0) : nullptr;
}

// `x == 0`, `x != 0`, `!x`: the truth of x, or its opposite.
const llvm::Value *truthTest(const llvm::Value *value, bool &isNegated) {
  const llvm::Value *inner = nullptr;
  if (match(value, m_Not(m_Value(inner))) && value->getType()->isIntegerTy(1)) {
    isNegated = true;
    return inner;
  }
  const auto *compare = dyn_cast<llvm::ICmpInst>(value);
  if (!compare || !compare->isEquality() || !match(compare->getOperand(1), m_Zero())) return nullptr;
  isNegated = compare->getPredicate() == llvm::CmpInst::ICMP_EQ;
  return compare->getOperand(0);
}

// `a && b` or `a || b`.
struct Logical {
  const llvm::Value *left = nullptr; // null: neither
  const llvm::Value *right = nullptr;
  bool isAnd = true;
};
Logical logicalOf(const llvm::Value *value) {
  Logical parts;
  if (!value->getType()->isIntegerTy(1)) return parts;
  if (match(value, m_LogicalAnd(m_Value(parts.left), m_Value(parts.right)))) return parts;
  if (match(value, m_LogicalOr(m_Value(parts.left), m_Value(parts.right)))) return {parts.left, parts.right, false};
  return {};
}

// One that partsOf takes apart.
bool isTakenApart(const llvm::Instruction &logical) {
  bool isAnd = logicalOf(&logical).isAnd;
  const llvm::Instruction *value = &logical;
  while (value->hasOneUse()) {
    const auto *user = llvm::cast<llvm::Instruction>(*value->user_begin());
    if (llvm::isa<llvm::BranchInst>(user)) return true;
    Logical outer = logicalOf(user);
    if (!outer.left || outer.isAnd != isAnd) return false;
    value = user;
  }
  return false;
}

// What a branch can ask itself: a comparison, a negation, `&&` and `||`, the success of a compare-exchange.
bool isTruth(const llvm::Instruction &value) {
  bool ignored = false;
  return llvm::isa<llvm::ICmpInst>(value) || logicalOf(&value).left || truthTest(&value, ignored) || exchangeOf(&value);
}

void takeApart(const llvm::Value *value, bool isAnd, llvm::SmallVectorImpl<const llvm::Value *> &truths) {
  Logical logical = logicalOf(value);
  if (!logical.left || logical.isAnd != isAnd || !value->hasOneUse()) return truths.push_back(value);
  takeApart(logical.left, isAnd, truths);
  takeApart(logical.right, isAnd, truths);
}

} // namespace

Parts partsOf(const llvm::BranchInst &branch) {
  Parts parts;
  parts.isAnd = logicalOf(branch.getCondition()).isAnd;
  takeApart(branch.getCondition(), parts.isAnd, parts.truths);
  return parts;
}

const llvm::AtomicCmpXchgInst *exchangeOf(const llvm::Value *truth) {
  const auto *part = dyn_cast<llvm::ExtractValueInst>(truth);
  return part && part->getIndices()[0] == 1 ? dyn_cast<llvm::AtomicCmpXchgInst>(part->getAggregateOperand()) : nullptr;
}

Predicate predicateOf(const llvm::ICmpInst &compare) {
  const Row *found = llvm::find_if(kPredicates, [&](const Row &row) { return row.from == compare.getPredicate(); });
  return found == std::end(kPredicates) ? Predicate::Unknown : found->to;
}

Condition conditionOf(const llvm::Value *truth) {
  bool isOpposite = false;
  while (true) {
    bool isNegated = false;
    if (const llvm::Value *same = sameTruth(truth)) {
      truth = same;
    } else if (const llvm::Value *tested = truthTest(truth, isNegated)) {
      isOpposite ^= isNegated;
      truth = tested;
    } else {
      break;
    }
  }
  Condition condition{truth, nullptr, Predicate::NotEqual};
  if (const auto *compare = dyn_cast<llvm::ICmpInst>(truth))
    condition = {compare->getOperand(0), compare->getOperand(1), predicateOf(*compare)};
  if (const llvm::AtomicCmpXchgInst *exchange = exchangeOf(truth))
    condition = {exchange, exchange->getCompareOperand(), Predicate::Equal};
  if (isOpposite) condition.predicate = opposite(condition.predicate);
  return condition;
}

bool isFoldedIntoBranch(const llvm::Instruction &truth) {
  if (!isTruth(truth)) return false;
  if (logicalOf(&truth).left) return isTakenApart(truth);
  const llvm::Instruction *value = &truth;
  while (value->hasOneUse()) {
    const auto *user = llvm::cast<llvm::Instruction>(*value->user_begin());
    if (llvm::isa<llvm::BranchInst>(user)) return true;
    if (logicalOf(user).left) return isTakenApart(*user);
    bool ignored = false;
    if (!sameTruth(user) && !truthTest(user, ignored)) return false;
    value = user;
  }
  return false;
}

} // namespace deadheat::extract
