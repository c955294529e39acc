// The sentences of a finding, made from its facts: title, why it is thought to be real, what would fix it.
#pragma once

#include <string>

#include "finding/finding.h"

namespace deadheat::finding {

// Fills what the engine left empty.
void explain(Finding &finding);

// What both access, in the words of the first if it has some that tell as much: `this->` tells less than a name.
const std::string &variableOf(const Access &first, const Access &second);

// "a.c:5", "a.c:5:7", or "an unknown place".
std::string placeText(const Place &place);

// "thread worker (one of many, created at main.c:40)"
std::string threadText(const std::string &entry, bool many, const Place &createdAt);

// "m and n", "no lock"
std::string locksText(const std::vector<std::string> &locks);

// "the accesses were always ordered (mutex m)"
std::string notClimbedText(const NotClimbed &notClimbed);

// "observed: happens-before, seen 12 times"
std::string evidenceText(const Evidence &evidence);

} // namespace deadheat::finding
