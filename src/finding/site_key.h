// The name of a site that outlives edits elsewhere in the file, and that static and dynamic engines write alike.
//
// Claim   siteKey(unit, site) depends only on the source file's base name, the function, and the accesses of that
//         function: what it does (kind), to what (path), and which of the equal ones it is, in order of the source.
//         There are no line numbers in it. The same site of an inline function has the same key in every unit.
// Misses  An edit inside the function that adds an equal access before this one; a renamed variable.
// Cost    siteKey(unit, site) walks the sites of the function: for findings, not for every access.
#pragma once

#include <string>
#include <string_view>

#include "model/unit.h"

namespace deadheat::finding {

// "queue.c:push:write:q->head" or, for the third equal one, "queue.c:push:write:q->head#3".
std::string siteKey(std::string_view file, std::string_view function, std::string_view action, std::string_view path,
                    uint32_t ordinal);

// Of an access in the model.
std::string siteKey(const model::Unit &unit, model::SiteId site);

// The name of a line for what it accesses: `++n` reads and writes it, a call of push_back does a dozen things to its object. It depends
// on the file's base name, the function, the path, and which of the function's lines of that path it is. Empty: the model has no
// words for the object.
std::string spotKey(const model::Unit &unit, model::SiteId site); // "queue.c:push:q->head", "queue.c:push:q->head#2"
std::string spotKey(const model::Unit &unit, const model::Function &caller,
                    const model::Call &ofLibrary); // "a.cc:main:v()"

} // namespace deadheat::finding
