// The models that a path stands for.
//
// Claim   all units in the order in which they lie in the file (files of a directory: by name), or an Error that names
//         the file: never some of them.
#pragma once

#include <string>
#include <vector>

#include "model/frame.h"
#include "support/error.h"

namespace deadheat::driver {

// The model files below a directory, by name; an Error if there is none.
Expected<std::vector<std::string>> modelFiles(const std::string &directory);

// A program, library, object, archive, model file, or a directory that holds model files at any depth.
Expected<std::vector<model::LinkedUnit>> loadModels(const std::string &path);

} // namespace deadheat::driver
