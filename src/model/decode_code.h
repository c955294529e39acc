// Reads what model/encode_code.h wrote.
#pragma once

#include "model/columns.h"
#include "support/error.h"

namespace deadheat::model {

// Fills the statements and arguments of `unit`, the callees of its calls and where the rows of each function, block and
// call begin. Its functions, blocks and calls must be loaded. False: the streams do not fit them.
bool loadStatements(const fb::Statements &stored, Unit &unit);

} // namespace deadheat::model
