// The parts of finish() that others need too.
#pragma once

#include "driver/common_options.h"
#include "finding/suppressions.h"

namespace deadheat::driver {

// From the named file, else from deadheat.supp if there is one.
Expected<finding::Suppressions> loadSuppressions(const CommonOptions &options);
std::string suppressionsPath(const CommonOptions &options);

bool useColor(Color color);

// An option that takes a level by its name.
CLI::Option *declareLevel(CLI::App &app, const char *name, std::optional<finding::Level> &level,
                          const std::string &meaning);

} // namespace deadheat::driver
