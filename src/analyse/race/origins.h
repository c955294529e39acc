// Where a pointer comes from: from parameters of its function, from what the function's own thread has made, or from an array of which a
// number chooses the element.
//
// Claim   An origin that is known names all that the value may be: null, or inside of what one of `parameters` points to, or of an object
//         that the call at hand has made, on the stack or by an allocator, itself or by a function that returns it, or of an element of a
//         variable's array, or of the array that a variable points to, which one of `numbers` chooses.
// Assumes an index stays inside its array, as points-to does.
// Cost    linear in the statements of the functions that are asked for, and of those whose results they use.
// Misses  what passes through memory other than variables (link/stack_slots.h); what calls through pointers return; parameters beyond kMaxParameters.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "link/program.h"
#include "link/stack_slots.h"

namespace deadheat::analyse {

// A parameter as it is, or what it points to at a byte.
struct Number {
  static constexpr int64_t kItself = -1;
  uint32_t parameter = 0;
  int64_t inside = kItself;
  bool operator==(const Number &) const = default;
};

struct Origin {
  using Mask = uint64_t; // of parameters
  static constexpr uint32_t kMaxParameters = 64;

  bool isKnown = true;
  bool isMade = false;
  Mask parameters = 0;
  std::vector<Number> numbers = {};

  bool isNull() const { return isKnown && !isMade && parameters == 0 && numbers.empty(); }
};

class Origins {
public:
  explicit Origins(const link::Program &program) : program_(program), code_{program.units, program.symbols} {}

  // A function whose values are asked for.
  struct Body {
    link::FuncId function;
    link::Definitions definitions;
    link::StackSlots slots;
    Body(const link::Code &code, link::FuncId id) : function(id), definitions(code, id), slots(code, id, definitions) {}
  };
  Origin of(const Body &body, model::Operand operand);
  Origin returned(link::FuncId function);
  // Where a number comes from; nothing: from elsewhere, or from several places.
  std::optional<Number> number(const Body &body, model::Operand operand) const;

private:
  using Pending = std::vector<model::Operand>;
  static constexpr int kMaxDepth = 16; // calls whose results are results

  void follow(const Body &body, const model::Statement *made, Origin &origin, Pending &pending);
  void followCall(const Body &body, const model::Call &call, Origin &origin, Pending &pending);
  void choose(const Body &body, model::Operand number, Origin &origin) const;

  const link::Program &program_;
  link::Code code_;
  std::map<link::FuncId, Origin> returned_;
  int depth_ = 0;
};

} // namespace deadheat::analyse
