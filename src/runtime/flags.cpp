#include "runtime/flags.h"

namespace deadheat::runtime {
namespace {

bool equals(Slice part, const char *text) {
  const char *at = part.begin;
  for (; at != part.end && *text != 0 && *at == *text; ++at) ++text;
  return at == part.end && *text == 0;
}

bool parseValue(Slice value, Text &to) {
  unsigned length = 0;
  for (const char *at = value.begin; at != value.end; ++at)
    if (length + 1 < sizeof(to.bytes)) to.bytes[length++] = *at;
  to.bytes[length] = 0;
  return true;
}

bool parseValue(Slice value, Switch &to) {
  to = equals(value, "1");
  return to || equals(value, "0");
}

bool parseValue(Slice value, Bodies &to) {
  constexpr struct {
    const char *name;
    Bodies bodies;
  } kNames[] = {{"all", Bodies::All}, {"none", Bodies::None}, {"flip", Bodies::Flip}};
  for (const auto &row : kNames)
    if (equals(value, row.name)) {
      to = row.bodies;
      return true;
    }
  return false;
}

const char *find(Slice part, char wanted) {
  const char *at = part.begin;
  while (at != part.end && *at != wanted) ++at;
  return at;
}

void parsePart(Slice part, Flags &flags, ComplainFunction complain) {
  const char *equal = find(part, '=');
  const Slice key{part.begin, equal};
  const Slice value{equal == part.end ? equal : equal + 1, part.end};
#define FLAG(type, name, fallback, sentence)                                                                           \
  if (equals(key, #name)) {                                                                                            \
    if (!parseValue(value, flags.name)) complain(FlagProblem::BadValue, part);                                         \
    return;                                                                                                            \
  }
#include "abi/flags.def"
  complain(FlagProblem::UnknownKey, key);
}

} // namespace

void parseFlags(const char *options, Flags &flags, ComplainFunction complain) {
  const char *end = options;
  while (*end != 0) ++end;
  for (const char *at = options; at != end;) {
    const char *colon = find({at, end}, ':');
    if (colon != at) parsePart({at, colon}, flags, complain);
    at = colon == end ? end : colon + 1;
  }
}

void describeFlags(void (*line)(const char *name, const char *sentence)) {
#define FLAG(type, name, fallback, sentence) line(#name, sentence);
#include "abi/flags.def"
}

} // namespace deadheat::runtime
