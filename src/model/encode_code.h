// Writes the statements of a unit, and the operands of its calls, as streams (model/statement_streams.h).
#pragma once

#include "model/columns.h"

namespace deadheat::model {

flatbuffers::Offset<fb::Statements> storeStatements(flatbuffers::FlatBufferBuilder &builder, const Unit &unit);

} // namespace deadheat::model
