// Whether a run came to harm, by what it left behind.
//
// Claim   Harm is named only for what the program did itself: a fatal signal, an abort, a failed assertion, an uncaught exception,
//         a sanitizer's report, a deadlock in which every thread waits for another, or a run that never ended.
// Misses  Wrong results that change nothing that can be seen from outside; differences between runs are the campaign's.
#pragma once

#include <optional>

#include "confirm/direction.h"
#include "finding/finding.h"

namespace deadheat::confirm {

std::optional<finding::Harm> harmOf(const Outcome &outcome);

} // namespace deadheat::confirm
