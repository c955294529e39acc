// What people read for the kinds of accesses, mappings, comparisons, orders and linkages.
#pragma once

#include <iterator>
#include <string_view>

#include "model/unit.h"

namespace deadheat::model {

inline constexpr std::string_view kKindNames[] = {"read",        "write",        "range read",    "range write",
                                                  "atomic read", "atomic write", "atomic update", "fence"};
inline constexpr std::string_view kOriginNames[] = {"metadata",    "location",  "line",         "merged",
                                                    "no location", "line zero", "no early site"};
inline constexpr std::string_view kPredicateNames[] = {"==", "!=", "<", "<=", ">", ">=", "??"};
inline constexpr std::string_view kOrderNames[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
inline constexpr std::string_view kLinkageNames[] = {"declared", "weak declared", "external", "weak", "internal"};
static_assert(std::size(kPredicateNames) == static_cast<size_t>(Predicate::Unknown) + 1);
static_assert(std::size(kOrderNames) == static_cast<size_t>(Order::Sequential) + 1);
static_assert(std::size(kLinkageNames) == static_cast<size_t>(Linkage::Internal) + 1);
static_assert(std::size(kKindNames) == static_cast<size_t>(AccessKind::Fence) + 1);
static_assert(std::size(kOriginNames) == static_cast<size_t>(Origin::NoEarlySite) + 1);

constexpr std::string_view name(AccessKind kind) { return kKindNames[static_cast<size_t>(kind)]; }
constexpr std::string_view name(Origin origin) { return kOriginNames[static_cast<size_t>(origin)]; }
constexpr std::string_view name(Predicate predicate) { return kPredicateNames[static_cast<size_t>(predicate)]; }
constexpr std::string_view name(Order order) { return kOrderNames[static_cast<size_t>(order)]; }
constexpr std::string_view name(Linkage linkage) { return kLinkageNames[static_cast<size_t>(linkage)]; }

} // namespace deadheat::model
