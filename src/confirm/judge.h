// Whether a run came to harm, by what it left behind.
//
// Claim   Harm is named only for what the program did itself: a fatal signal, an abort, a failed assertion, an uncaught exception,
//         a sanitizer's report, or a deadlock. Whether a run that our limit ended would never have ended, one run cannot tell: that is the
//         campaign's to say, as are differences between runs.
// Misses  Wrong results that change nothing that can be seen from outside.
#pragma once

#include <optional>

#include "confirm/direction.h"
#include "finding/finding.h"

namespace deadheat::confirm {

// Whether the program waited for threads that we held back longer than a busy machine would hold them: another exit status or output, because it
// gave up waiting for a lock say, is then no harm of the race.
bool isHeldTooLong(const Outcome &outcome);

std::optional<finding::Harm> harmOf(const Outcome &outcome);

} // namespace deadheat::confirm
