// The code that a run executes, by the numbers that its events speak in: accesses, functions, return addresses.
//
// Claim   A number leads to what was compiled into its slot, or nowhere.
// Assumes objects are added before the events that speak of them are looked at.
#pragma once

#include <map>
#include <vector>

#include "driver/run_models.h"
#include "trace/event.h"

namespace deadheat::driver {

class RunCode {
public:
  // Without a model, what the object's events speak of stays unknown.
  void add(const ObjectImage &image, ModelPool &models);

  const trace::AccessShapes &shapes() const { return shapes_; }
  LatePlace access(uint32_t id) const;
  FunctionPlace function(uint64_t id) const;
  std::string path(uint32_t base) const; // of the file whose first access is that; empty: unknown

private:
  struct Object {
    RunObject object;
    ObjectModel models;
  };

  std::vector<std::unique_ptr<Object>> objects_;
  std::map<uint32_t, const Object *> byAccess_;
  std::map<uint32_t, const Object *> byFunction_;
  trace::AccessShapes shapes_;
};

} // namespace deadheat::driver
