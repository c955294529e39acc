// What every reader of a unit's code may rely on, besides what payload.h says of the rest.
//
//   rows      the rows of functions, blocks and calls in the next table are consecutive, in order, and no others
//   blocks    a block ends with a statement that may end one; no other statement of it is such, except calls; phis come
//             first; there are as many edges as its last statement needs, and they lead to blocks of the function
//   values    every result is assigned by one statement (or by the phi rows of one block), is no parameter and is less
//             than valueCount, as is every value that is used
//   calls     the i-th call statement of the unit is that of call i
#pragma once

#include "model/unit.h"
#include "support/error.h"

namespace deadheat::model {

Expected<void> validateSymbols(const Unit &unit);
Expected<void> validateCode(const Unit &unit);

} // namespace deadheat::model
