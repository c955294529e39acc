// What a thread does on its way to starting another one: most of it prepares what that one finds.
//
// Claim   isPreparation: on every way to the statement, some function on it goes on to start a thread of that kind, and has
//         started none yet. Earlier ones, started elsewhere, may still be live: that is why it only demotes.
// Cost    per access, the callers of its function, a few levels up.
#pragma once

#include "analyse/race/chains.h"

namespace deadheat::analyse {

bool isPreparation(const World &world, link::ThreadId creator, link::FuncId function, model::StatementId statement,
                   link::ThreadId started);

} // namespace deadheat::analyse
