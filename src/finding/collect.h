// From what engines say to one ranked list: ids, merging, order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "finding/finding.h"

namespace deadheat::finding {

// The 64 bits that the id is made of: kind, and of each side or edge the file's base name, function and spot, or site. Sides
// have no order, cycles no beginning; no line numbers. `ordinal` tells equal ones at different places apart.
uint64_t fingerprint(const Finding &finding, uint32_t ordinal = 1);

// Findings that are alike in it are one: the fingerprint, and the lines.
using PlaceKey = std::pair<uint64_t, std::vector<Place>>;
PlaceKey placeKey(const Finding &finding);

// R-8f31c2a45d0e9b17
std::string idText(Kind kind, uint64_t fingerprint);

// Joins what two engines say of the same sites: the level is the higher of both, votes and demotions are united, evidence
// is appended, except that a count which was taken again replaces the one of before. Texts and facts are those of the
// higher level, at equal levels of `later`; the other's fill what is missing. Places are those of `later`, for the
// source may have moved.
void merge(Finding &known, Finding later);

// Joins what is reported now with what was stored before: as merge(), but doubts that are no longer raised end, and at
// equal levels the score is the one of now: whoever ranks anew means it.
void update(Finding &known, Finding later);

// update() with the same again would leave it as it is: no vote and no measurement is there twice.
bool isSettled(const Finding &finding);

// Orders by level, where that is a proof (confirmed, harmful), then by score, then by id, and numbers from 1.
void rank(std::vector<Finding> &findings);

// Gives findings without an id the id of a known one with the same fingerprint at the same places.
void recognise(std::vector<Finding> &findings, const std::vector<Finding> &known);

// Claim   Every finding has an id, its own if it had one; findings about the same places are merged into one; the list is
//         ordered as by rank(), and ranks are 1 … n. The result does not depend on the order of the input, except
//         that of merged ones the last of the higher level lends its texts, and evidence stays in order.
// Misses  Two findings with equal fingerprints at different places are told apart by their order in the source. If lines
//         moved (so that recognise() does not help) and only the second is seen, it gets the first one's id.
void collect(std::vector<Finding> &findings);

} // namespace deadheat::finding
