// Members of records by name, over all units: `read` of `struct file_operations` is one FieldId, wherever it is accessed.
//
// Sites say which member they access, initialisers only at which byte of a variable a pointer stands. The bytes are learned from the
// sites: a member lies where most accesses by a pointer to its record find it, or those of a variable; of a record inside a variable it is told where
// it begins where it is copied as a whole (`config.methods = *given`).
//
// Assumes one name is one type in the whole program, as C++ demands and C programs do.
// Misses  for initialisers: records inside records that nobody accesses beside other members.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include "link/array_types.h"
#include "link/code.h"
#include "link/definitions.h"

namespace deadheat::link {

using FieldId = Id<struct FieldTag>;

// Reads or writes one thing; no range.
bool isMemory(model::StatementKind kind);

// Where an access begins: a value or symbol that is neither a copy nor a part, and the bytes from there; none: an index is on the way.
struct Origin {
  model::Operand base;
  int64_t offset = 0;
  bool indexed = false;
};
Origin originOf(const Definitions &definitions, model::Operand address);

class FieldNames {
public:
  FieldNames(const Code &code, const ArrayTypes &arrays);

  // The member that the site accesses; invalid: none, or one of several.
  FieldId at(UnitId unit, model::SiteId site) const { return ofSite_[unit.value()][site.value()]; }
  // The member at a byte of a variable, or several of unions; none: not known.
  std::span<const FieldId> at(const Variable &variable, uint64_t offset) const;
  // By its words, `struct work_struct.func`; invalid: nobody accesses it.
  FieldId named(std::string_view words) const;
  size_t size() const { return types_.size(); }

  // The words of an access through a pointer.
  struct Path {
    std::string_view pointer = {}; // empty: there is none
    bool nested = false;           // a member of a member
  };

private:
  struct Use {
    model::ValueId base;
    int64_t offset;
    FieldId field;
    Path path;
  };

  void nameSites(const Code &code);
  void findWholes(const Code &code, FuncId function);
  void learnOfVariable(const Code &code, FuncId function, const Definitions &definitions,
                       const model::Statement &statement, FieldId field);
  void learn(const Code &code, FuncId function);
  void vote(const std::vector<Use> &uses);
  void settle();

  const ArrayTypes &arrays_;
  llvm::StringMap<uint32_t> typeNumbers_;
  std::map<std::pair<uint32_t, std::string>, FieldId> numbers_;
  std::vector<uint32_t> types_;                                // [field]
  std::vector<std::vector<FieldId>> ofSite_;                   // [unit][site]
  std::map<std::pair<GlobalId, std::string>, int64_t> wholes_; // a part of a variable by its path, and where it begins
  std::map<std::pair<FieldId, int64_t>, uint32_t> votes_;
  std::map<std::pair<std::pair<uint32_t, int64_t>, FieldId>, uint32_t>
      nestedVotes_;                                                       // ((type, byte), member of a member)
  std::map<std::pair<uint32_t, int64_t>, std::vector<FieldId>> byOffset_; // (type, byte)
};

} // namespace deadheat::link
