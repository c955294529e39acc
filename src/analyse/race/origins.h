// Where a pointer comes from: from parameters of its function, or from what the function's own thread has made.
//
// Claim   An origin that is known names all that the value may be: null, or inside of what one of `parameters` points to, or of an object
//         that the call at hand has made, on the stack or by an allocator, itself or by a function that returns it.
// Assumes an index stays inside its array, as points-to does.
// Cost    linear in the statements of the functions that are asked for, and of those whose results they use.
// Misses  what passes through memory other than variables (link/stack_slots.h); what calls through pointers return; parameters beyond kMaxParameters.
#pragma once

#include <map>

#include "link/program.h"
#include "link/stack_slots.h"

namespace deadheat::analyse {

struct Origin {
  using Mask = uint64_t; // of parameters
  static constexpr uint32_t kMaxParameters = 64;

  bool isKnown = true;
  bool isMade = false;
  Mask parameters = 0;

  bool isNull() const { return isKnown && !isMade && parameters == 0; }
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

private:
  using Pending = std::vector<model::Operand>;
  static constexpr int kMaxDepth = 16; // calls whose results are results

  void follow(const Body &body, const model::Statement *made, Origin &origin, Pending &pending);
  void followCall(link::FuncId function, const model::Call &call, Origin &origin, Pending &pending);

  const link::Program &program_;
  link::Code code_;
  std::map<link::FuncId, Origin> returned_;
  int depth_ = 0;
};

} // namespace deadheat::analyse
