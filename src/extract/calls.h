// A call instruction -> a call of the model, with its arguments and their words.
//
// A virtual call is recognised by what it is made of: the callee is loaded at a constant distance from a pointer that is
// loaded from the beginning of the first argument. In C that may also be a table of functions, so the optimiser's types or
// the form of the address must say that the pointer is one to a vtable, or debug info that the object's class has one.
#pragma once

#include "llvm/IR/InstrTypes.h"

#include "extract/emitter.h"
#include "extract/path.h"

namespace deadheat::extract {

class CallWriter {
public:
  CallWriter(Emitter &emitter, PathNamer &namer, model::Unit &unit) : emitter_(emitter), namer_(namer), unit_(unit) {}

  void add(llvm::CallBase &call);

private:
  void describeCallee(const llvm::CallBase &call, model::Call &row);
  bool describeVirtual(const llvm::CallBase &call, model::Call &row);
  void describePlace(const llvm::CallBase &call, model::Call &row);
  model::Argument argument(const llvm::CallBase &call, unsigned index);

  Emitter &emitter_;
  PathNamer &namer_;
  model::Unit &unit_;
};

} // namespace deadheat::extract
