// Objects on the heap of which there is only one: what `new App` in main makes, as good as a variable.
//
// Claim   A marked object is made by one call that is executed at most once, and no pointer to it was ever stepped by an index that is
//         not constant, or walks: it is one object, and no array of which points-to takes all elements for one.
// Assumes what threads.h says about who executes what, and how often.
// Cost    linear in statements and edges of points-to; places of those pointers alone that are stepped and may be of such an object.
// Misses  what is made by functions that are called more than once, though only one of these calls is for this purpose; structures that
//         begin with an array; arrays whose elements only code without a model tells apart.
#pragma once

#include <vector>

#include "link/thread_finder.h"

namespace deadheat::link {

// [object of points-to]: made by one call that is executed at most once, be it one object or an array.
std::vector<bool> findMadeByOneCall(const ThreadInput &input, const Often &often);

// [object of points-to]; `madeByOneCall`: see above.
std::vector<bool> findMadeOnce(const ThreadInput &input, std::vector<bool> madeByOneCall);

} // namespace deadheat::link
