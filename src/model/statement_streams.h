// Statements as they are stored. One row of a statement has few of the fields that it could have, so instead of columns
// there are streams: `kind` and `form` have a number for each statement, and the form says what the statement takes
// from the other streams.
//
// A value is stored as its distance from the result last assigned, which is small, and often 0. A Call is followed by the
// operands of its call, callee first, each with a form of its own: the i-th Call statement is that of call i.
#pragma once

#include "model/columns.h"

namespace deadheat::model {

// Statements: the kind of operand a, then of b, then what else there is.
inline constexpr unsigned kShiftB = 2;
inline constexpr unsigned kOperandMask = 3;
inline constexpr uint8_t kHasResult = 16;
inline constexpr uint8_t kHasNumber = 32;
inline constexpr uint8_t kHasSite = 64;
inline constexpr uint8_t kHasOther = 128;

// Operands of calls: the kind, then whether there is a path.
inline constexpr uint8_t kHasPath = 4;

// The streams in the order of the format.
template <typename Stream> struct StatementStreams {
  Stream kind, form, results, values, symbols, constants, numbers, sites, operandForms, paths;
};

inline constexpr StatementStreams<Coding> kStreamCodings = {.kind = Coding::Plain,
                                                            .form = Coding::Plain,
                                                            .results = Coding::Delta,
                                                            .values = Coding::Signed,
                                                            .symbols = Coding::Plain,
                                                            .constants = Coding::Signed,
                                                            .numbers = Coding::Signed,
                                                            .sites = Coding::Delta,
                                                            .operandForms = Coding::Plain,
                                                            .paths = Coding::Delta};

// The value that distances are taken from: before the first result of a function, its last parameter.
class LastResult {
public:
  void enter(const Function &function) { last_ = int64_t(function.parameterCount) - 1; }
  void assign(ValueId result) { last_ = result.value(); }
  int64_t distance(int64_t value) const { return last_ - value; }

private:
  int64_t last_ = -1;
};

} // namespace deadheat::model
