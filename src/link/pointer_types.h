// What C++ itself says about the functions that a pointer may hold.
//
// Claim   A function whose address stands in vtables only is called by virtual calls only. `std::__invoke_impl<void, void (*)(X *),
//         X *>`, the last step of std::thread, std::async, std::function and their like, calls what takes an `X *`; with a pointer to
//         a member `void (X::*)()`, it calls members of X.
//         The slots of vtables that pointers to members stand for are those of which such a pointer is made somewhere: the slot's byte
//         plus one, and what to add to the object behind it, stored or handed on.
//         A call that looks whether a pointer to a member is a function or a place in a vtable calls the function, or one of a vtable.
// Assumes no casts between types of functions on the way to those.
// Misses  pointers to virtual members in constant tables.
// Cost    one pass over statements and initialisers, in programs that have vtables.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/ADT/BitVector.h"

#include "link/call_graph.h"
#include "link/code.h"
#include "link/definitions.h"
#include "link/virtual_calls.h"

namespace deadheat::link {

// Of what is called: the function that a pointer to a member holds, if it is that pointer, and may be a place in a vtable instead; none:
// it is no such pointer.
model::Operand memberPointer(const Definitions &definitions, model::Operand callee);

class PointerTypes {
public:
  PointerTypes(const Code &code, const VirtualCalls &tables);

  bool isInTablesOnly(FuncId function) const { return inTables_[function.value()] && !elsewhere_[function.value()]; }
  // What is said of the pointer that the call goes through; empty: nothing.
  std::string wordsOf(const CallSite &site) const;
  // The class whose member is called; empty: they do not say.
  static std::string_view ownerIn(std::string_view words);
  // The bytes in vtables that pointers to members of the class are made of; of all, where it is empty.
  std::set<uint32_t> memberSlots(std::string_view owner) const;
  // They say so much of a plain pointer that few functions fit them.
  static bool areExact(std::string_view words);
  // Leaves of the functions those that fit the words. Where none does, they were misread.
  void keep(std::string_view words, std::vector<FuncId> &functions) const;

private:
  void findTaken(const VirtualCalls &tables);
  void takeIn(FuncId function);
  void takeSlot(const model::Operand &first, const model::Operand &second, std::string_view owner);
  bool fits(std::string_view words, FuncId function) const;

  const Code &code_;
  llvm::BitVector inTables_, elsewhere_;                  // [function]
  std::map<std::string, std::set<uint32_t>> memberSlots_; // by class; empty: of which one is not known
};

} // namespace deadheat::link
