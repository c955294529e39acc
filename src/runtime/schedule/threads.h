// Which thread is which task, and how threads end.
#pragma once

#include "runtime/schedule/task.h"

namespace deadheat::runtime::schedule {

// The thread that was there before us.
void rememberMain(Task &task);

// In the child of a fork: one thread, free.
void stopDirecting();

} // namespace deadheat::runtime::schedule
