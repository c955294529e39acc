// Puts a unit's model where readers will find it.
#pragma once

#include <string>

#include "llvm/IR/Module.h"

#include "support/error.h"

namespace deadheat::plugin {

// Into the object file, as a section that is not loaded and that linkers concatenate. By module-level assembly: LLVM
// has no other way to a section that is kept but not allocated, and it works the same for objects, assembly text and
// bitcode. Only ELF has such sections: other objects carry no model.
void embedInObject(llvm::Module &module, const std::string &frame);

// Into a file of its own in `directory`, named after the source. It appears whole or not at all.
Expected<void> writeToDirectory(const llvm::Module &module, const std::string &frame, const std::string &directory);

} // namespace deadheat::plugin
