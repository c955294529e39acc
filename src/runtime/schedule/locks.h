// The mutex half of waiting for a condition.
#pragma once

#include <pthread.h>

#include "runtime/schedule/task.h"

namespace deadheat::runtime::schedule {

int lockAgain(Task &task, pthread_mutex_t *mutex);
int unlockMutex(pthread_mutex_t *mutex);

} // namespace deadheat::runtime::schedule
