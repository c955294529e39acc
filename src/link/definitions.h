// Where each value of a function comes from, for short walks from a use back to its sources.
#pragma once

#include <vector>

#include "link/code.h"

namespace deadheat::link {

class Definitions {
public:
  Definitions(const Code &code, FuncId function);

  // The statement that makes the value (the first row of a Phi); null: a parameter, or nothing known.
  const model::Statement *of(model::ValueId value) const {
    return first_[value.value()].valid() ? &unit_.statements[first_[value.value()]] : nullptr;
  }
  model::StatementId statementOf(model::ValueId value) const { return first_[value.value()]; }

  // Follows copies to something that is none.
  model::Operand strip(model::Operand operand) const;
  // The address of a stack object of the function.
  bool isStack(model::Operand operand) const {
    operand = strip(operand);
    const model::Statement *made = operand.isValue() ? of(operand.value()) : nullptr;
    return made && made->kind == model::StatementKind::Stack;
  }
  // The parameter that the operand is a copy of; -1: none.
  int parameter(model::Operand operand) const;
  // The same of an argument of a call in the function; -1 too if the call has none such.
  signed char parameter(const model::Call &call, int argument) const;

  // Visits the operands that flow into a Copy, Choose or Phi; false: the value is made otherwise.
  template <typename Visit> bool forEachSource(model::ValueId value, Visit visit) const {
    const model::Statement *statement = of(value);
    if (!statement) return false;
    switch (statement->kind) {
    case model::StatementKind::Copy: visit(statement->a); return true;
    case model::StatementKind::Choose:
      visit(statement->a);
      visit(statement->b);
      return true;
    case model::StatementKind::Phi:
      for (uint32_t s = first_[value.value()].value(); isRow(s, value); ++s)
        visit(unit_.statements[model::StatementId(s)].a);
      return true;
    default: return false;
    }
  }

private:
  bool isRow(uint32_t statement, model::ValueId value) const {
    model::StatementId id(statement);
    return unit_.statements.contains(id) && unit_.statements[id].kind == model::StatementKind::Phi &&
           unit_.statements[id].result == value;
  }

  const model::Unit &unit_;
  uint32_t parameters_;
  std::vector<model::StatementId> first_; // [value]
};

// An element that is chosen: the array or container, and by what; none: it is none.
struct Element {
  model::Operand array;
  model::Operand index;
  bool operator==(const Element &) const = default;
};
// By arithmetic, or by operator[] and `at` of the library's containers. `unit` has the statement.
Element elementOf(const Code &code, UnitId unit, const model::Statement &made);

} // namespace deadheat::link
