// Functions that call what they are given: `each(list, visit)` calls `visit`.
//
// Where a call goes through the caller's own parameter, it goes to what was handed over on the way at hand, not to
// whatever anybody hands over.
//
// Cost    one pass over all calls, and one more for each level of functions that hand their own parameters on.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "llvm/ADT/DenseMap.h"

#include "link/program.h"

namespace deadheat::analyse {

class Callbacks {
public:
  explicit Callbacks(const link::Program &program);

  // The parameters of a function that it calls, or hands on to who does; sorted.
  const std::vector<uint32_t> &calledBy(link::FuncId function) const;
  // The parameter that a call goes through.
  std::optional<uint32_t> parameterAt(link::CallSiteId site) const;

  // What a call hands over as an argument.
  struct Given {
    std::optional<link::FuncId> function = {}; // a function by its name; invalid: null
    std::optional<uint32_t> parameter = {};    // the caller's own
  };
  Given givenAt(link::CallSiteId site, uint32_t argument) const;

private:
  bool handOn(link::CallSiteId site);

  const link::Program &program_;
  llvm::DenseMap<uint32_t, std::vector<uint32_t>> called_; // [function]
};

} // namespace deadheat::analyse
