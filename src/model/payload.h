// The inside of a frame, before compression: a FlatBuffer whose tables are columns of LEB128 numbers (model/columns.h).
//
// Claim   decodePayload returns a model that satisfies validate(), or an Error, for any bytes; memory is bounded by a
//         small multiple of the bytes. Equal units encode to equal bytes.
// Assumes the bytes lie at an address that is a multiple of eight.
// Cost    one pass.
#pragma once

#include <span>
#include <string>

#include "model/unit.h"
#include "support/error.h"

namespace deadheat::model {

std::string encodePayload(const Unit &unit);

// The Error says what is wrong inside the model; the caller knows where the bytes came from.
Expected<Unit> decodePayload(std::span<const uint8_t> bytes);

// What every reader of a Unit may rely on: each id names something; each site lies in the range of its function and in
// no other; the sites of a late access are sorted and unique, and there are some exactly when its origin says so;
// for code, what model/validate_code.h says.
Expected<void> validate(const Unit &unit);

} // namespace deadheat::model
