#include "model/unit.h"

namespace deadheat::model {

StringId StringTable::intern(std::string_view text) {
  auto [entry, isNew] = ids_.try_emplace(llvm::StringRef(text.data(), text.size()));
  if (isNew) entry->second = table_.add(std::string(text));
  return entry->second;
}

} // namespace deadheat::model
