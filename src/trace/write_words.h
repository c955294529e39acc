// Words as the runtime writes them, for tests and for histories.
#pragma once

#include <initializer_list>
#include <vector>

#include "abi/event.h"

namespace deadheat::trace {

using WordList = std::vector<uint64_t>;

inline void appendEvent(WordList &words, abi::EventKind kind, uint64_t payload,
                        std::initializer_list<uint64_t> more = {}) {
  words.push_back(abi::eventWord(kind, payload));
  words.insert(words.end(), more);
}

inline void appendSync(WordList &words, abi::EventKind kind, abi::SyncKind sync, uint8_t flags, uint64_t object,
                       uint64_t stamp) {
  appendEvent(words, kind, abi::syncPayload(sync, flags), {object, stamp, 0});
}

} // namespace deadheat::trace
