// Findings that have one cause, most likely: they are told once, with the others counted under it.
//
// Claim   Findings of one group have the kind, the level, the variable and the locks of both sides in common, and each has a function in
//         common with the first of its group.
// Cost    linear in findings times the groups of one variable.
#pragma once

#include <vector>

#include "finding/finding.h"

namespace deadheat::report {

using Alike = std::vector<const finding::Finding *>;

// In the order of the first of each group; the order inside is the given one.
std::vector<Alike> groupAlike(const std::vector<const finding::Finding *> &findings);

} // namespace deadheat::report
