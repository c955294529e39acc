// Tells of one access from a plain body, behind a test of the table: an inert program pays one load and one branch that
// is never taken.
#pragma once

#include "instrument/hooks.h"
#include "instrument/late.h"

namespace deadheat::instrument {

// Whether the plain body tells of it too (HookTable::sync): order between threads is never sampled.
bool isSync(const ir::Access &access);

// Told if a runtime is attached. Splits the block of the access.
void guardAccess(const LateAccess &entry, const Hooks &hooks);

// Told if the runtime wants synchronisation. An atomic operation is doubled, so that one test decides about the hooks
// before and after it. Splits the block of the access; the operation stays in the block that was split off.
void guardSync(const LateAccess &entry, const Hooks &hooks);

} // namespace deadheat::instrument
