// Virtual calls by the class hierarchy: what stands in a slot of the vtables of a class and of what derives from it.
//
// Claim   candidates(class, slot) holds every function of the program's vtables that the slot may lead to.
// Assumes the object's first vtable is meant (a class's second and later bases have their own, which points-to follows).
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "link/code.h"

namespace deadheat::link {

class VirtualCalls {
public:
  explicit VirtualCalls(const Code &code);

  std::vector<FuncId> candidates(std::string_view className, uint32_t slot) const; // sorted
  std::vector<FuncId> inSlot(uint32_t slot) const;                                 // of any class, sorted

  // Leaves of the functions those whose class has to do with the object's static one: it is that class, derives from it, or
  // it is one of its bases.
  void keepRelated(std::string_view className, std::vector<FuncId> &functions) const;

  // Leaves those whose class has to do with that of one of the methods.
  void keepRelated(const std::vector<FuncId> &methods, std::vector<FuncId> &functions) const;
  bool isMethod(FuncId function) const; // as far as its name tells

  bool hasTables() const { return !slots_.empty(); }
  bool isTable(GlobalId variable) const { return slots_.contains(variable); }
  // The function at a byte of a vtable; invalid: none, or a pure one.
  FuncId at(GlobalId table, uint64_t offset) const;
  // Takes out the tables of classes from which another one's class derives: constructors of bases write theirs first.
  void keepMostDerived(std::vector<std::pair<GlobalId, int32_t>> &tables) const;

private:
  struct Slot {
    uint64_t offset;
    FuncId function;
  };
  using Table = std::vector<Slot>;

  void addTables(const Code &code);
  bool derives(std::string_view name, std::string_view base) const;
  const std::set<std::string_view> &below(std::string_view base) const; // all that derive from it
  bool areRelated(std::string_view className, FuncId function) const;

  const Code &code_;

  std::map<std::string, std::vector<std::string>, std::less<>> derived_;
  std::map<std::string, Table, std::less<>> tables_; // by class
  std::map<GlobalId, std::map<uint64_t, FuncId>> slots_;
  std::map<GlobalId, std::string> classes_;
  mutable std::map<std::string, std::set<std::string_view>, std::less<>> below_; // as far as asked for
};

} // namespace deadheat::link
