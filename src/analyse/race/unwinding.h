// Code that runs only while an exception leaves its function: destructors of what is left behind. What a catch clause does
// is ordinary code again.
#pragma once

#include <map>
#include <vector>

#include "link/program.h"

namespace deadheat::analyse {

class Unwinding {
public:
  explicit Unwinding(const link::Program &program) : program_(program) {}

  bool isInCleanUp(link::FuncId function, model::StatementId statement);

private:
  std::vector<bool> cleanUpOf(link::FuncId function) const; // [block]
  bool catches(link::FuncId function, const model::Block &block) const;

  const link::Program &program_;
  std::map<link::FuncId, std::vector<bool>> known_;
};

} // namespace deadheat::analyse
