// What programs that this one starts need to be followed, too.
#pragma once

namespace deadheat::runtime {

// To be called once, before the program runs.
void keepEnvironment(char **environment);

} // namespace deadheat::runtime
