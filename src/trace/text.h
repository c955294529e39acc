// Events as text, one on a line: what `deadheat trace dump` prints.
#pragma once

#include <string>

#include "trace/event.h"

namespace deadheat::trace {

// "acquire mutex shared 0x7f0010 stamp 12 from 0x55d0e8"
std::string eventText(const Event &event);

} // namespace deadheat::trace
