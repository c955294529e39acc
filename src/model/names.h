// What people read for the kinds of accesses and of mappings.
#pragma once

#include <iterator>
#include <string_view>

#include "model/unit.h"

namespace deadheat::model {

inline constexpr std::string_view kKindNames[] = {"read",        "write",        "range read",    "range write",
                                                  "atomic read", "atomic write", "atomic update", "fence"};
inline constexpr std::string_view kOriginNames[] = {"metadata",    "location",  "line",         "merged",
                                                    "no location", "line zero", "no early site"};
static_assert(std::size(kKindNames) == static_cast<size_t>(AccessKind::Fence) + 1);
static_assert(std::size(kOriginNames) == static_cast<size_t>(Origin::NoEarlySite) + 1);

constexpr std::string_view name(AccessKind kind) { return kKindNames[static_cast<size_t>(kind)]; }
constexpr std::string_view name(Origin origin) { return kOriginNames[static_cast<size_t>(origin)]; }

} // namespace deadheat::model
