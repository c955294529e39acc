// Which flags the statements of one function read, test and write.
//
// Cost    one pass to find where values are made; then a few steps per question.
#pragma once

#include <optional>
#include <vector>

#include "analyse/flag/facts.h"
#include "link/program.h"

namespace deadheat::analyse {

class FlagReader {
public:
  struct Seen {
    Flag flag;
    bool isTold = false; // by an atomic or a volatile
  };
  struct Test {
    Seen seen;
    Fact fact;
  };

  FlagReader(const link::Program &program, link::FuncId function);

  uint32_t blockCount() const { return body_.blockCount; }
  const model::Statement &at(model::StatementId id) const { return unit_.statements[id]; }
  const model::Block &block(uint32_t number) const {
    return unit_.blocks[model::BlockId(body_.firstBlock.value() + number)];
  }
  const model::Edge &edge(uint32_t block, uint32_t number) const {
    return unit_.edges[model::EdgeId(this->block(block).firstEdge.value() + number)];
  }

  template <typename Visit> void forEach(uint32_t number, Visit visit) const {
    const model::Block &row = block(number);
    for (uint32_t i = 0; i < row.statementCount; ++i) visit(model::StatementId(row.firstStatement.value() + i));
  }

  // The variable at an address, and how far into it.
  std::optional<Flag> place(const model::Operand &address) const;
  // The bytes that a parameter points to.
  std::optional<Flag> insideParameter(const model::Operand &address) const;
  // The number with which a variable is changed in its place: `x &= number`, `x |= number`.
  std::optional<int64_t> maskStored(const model::Statement &store) const;
  // The store makes the two variables of a flag equal.
  bool makesAlike(const Flag &flag, const model::Statement &store) const;
  // What is known once a block was left by one of its edges.
  std::optional<Test> testAt(uint32_t block, uint32_t edge) const;

private:
  std::optional<Seen> flag(const model::Operand &value) const;
  std::optional<Test> test(model::Predicate predicate, const model::Operand &a, const model::Operand &b) const;
  std::optional<Test> testOfTwo(model::Predicate predicate, const model::Operand &a, const model::Operand &b) const;
  bool remembers(const Flag &kept, const Flag &wanted) const;
  const model::Statement *definition(const model::Operand &operand) const;

  const link::Program &program_;
  link::FuncId function_;
  link::UnitId unitId_;
  const model::Unit &unit_;
  const model::Function &body_;
  std::vector<model::StatementId> definitions_; // [value]; invalid: a parameter
};

} // namespace deadheat::analyse
