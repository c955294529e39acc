// compile_commands.json, in both of its forms: a command as a line for a shell, or as a list of words.
//
// Claim   Every entry that compiles C or C++ becomes one unit, in the order of the file; equal entries become one. Any
//         bytes give units or an Error that names the entry.
// Misses  entries for assembler: they have no model.
#pragma once

#include <vector>

#include "capture/unit_command.h"
#include "support/error.h"

namespace deadheat::capture {

// `path`: the file, or the folder that holds it.
Expected<std::vector<UnitCommand>> readCompileCommands(const std::string &path);

// The same, of its text; folders are relative to `folder`, and `name` names the file in errors.
Expected<std::vector<UnitCommand>> parseCompileCommands(const std::string &text, const std::string &folder,
                                                        const std::string &name);

} // namespace deadheat::capture
