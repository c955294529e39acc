#include "link/pointer_types.h"

#include <algorithm>

#include "llvm/ADT/StringRef.h"

namespace deadheat::link {

namespace {

using llvm::StringRef;
using model::Operand;
using model::StatementKind;

constexpr int64_t kPointerBytes = 8;
constexpr StringRef kInvoke = "std::__invoke_impl<";
constexpr char kAnyPlain[] = "*";

// The length of the text up to a comma or a closing bracket that is not inside other brackets.
size_t lengthOfArgument(StringRef text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (depth == 0 && (c == ',' || c == '>' || c == ')')) return i;
    depth += c == '<' || c == '(' || c == '[' || c == '{';
    depth -= c == '>' || c == ')' || c == ']' || c == '}';
  }
  return text.size();
}

// `(int, X *)` at the end of a function's name, without what follows it; empty: it has none.
StringRef parametersOf(StringRef name) {
  size_t end = name.rfind(')');
  if (end == StringRef::npos) return {};
  int depth = 0;
  for (size_t i = end + 1; i-- > 0;) {
    depth += name[i] == ')';
    depth -= name[i] == '(';
    if (depth == 0) return name.slice(i, end + 1);
  }
  return {};
}

// Of `void std::__invoke_impl<void, void (*)(X *), X *>(...)`: `(X *)`; of a pointer to a member of X: `X::()`.
std::string invokedBy(StringRef name) {
  size_t at = name.find(kInvoke);
  if (at == StringRef::npos) return {};
  StringRef rest = name.substr(at + kInvoke.size());
  rest = rest.substr(lengthOfArgument(rest));
  if (!rest.consume_front(", ")) return {};
  StringRef type = rest.take_front(lengthOfArgument(rest));
  StringRef parameters = parametersOf(type);
  StringRef before = type.take_front(type.find(parameters));
  if (parameters.empty() || !before.consume_back(")")) return {};
  before = before.rtrim("&").rtrim().rtrim("const").rtrim();
  if (!before.consume_back("*")) return {};
  StringRef owner = before.substr(before.rfind('(') + 1);
  return owner.str() + parameters.str();
}

// Of `std::_Head_base<0UL, void (X::*)(), false>._M_head_impl`: X; empty: it is of no pointer to a member.
StringRef ownerInType(StringRef type) {
  const size_t end = type.rfind("::*");
  int depth = 0;
  for (size_t i = end == StringRef::npos ? 0 : end; i-- > 0;) {
    if (type[i] == '(' && depth == 0) return type.slice(i + 1, end);
    depth += type[i] == ')' || type[i] == '>';
    depth -= type[i] == '(' || type[i] == '<';
  }
  return {};
}

} // namespace

// `phi(p, load(load(object) + (p - 1)))`
model::Operand memberPointer(const Definitions &definitions, model::Operand callee) {
  callee = definitions.strip(callee);
  std::vector<Operand> sources;
  if (!callee.isValue() || !definitions.forEachSource(callee.value(), [&](const Operand &source) {
        sources.push_back(definitions.strip(source));
      }))
    return {};
  auto made = [&](const Operand &operand) {
    return operand.isValue() ? definitions.of(definitions.strip(operand).value()) : nullptr;
  };
  auto isInTableAt = [&](const Operand &source, const Operand &place) {
    const model::Statement *load = made(source);
    const model::Statement *slot = load && load->kind == StatementKind::Load ? made(load->a) : nullptr;
    const model::Statement *number = slot && slot->kind == StatementKind::Index ? made(slot->b) : nullptr;
    const model::Statement *table = number ? made(slot->a) : nullptr;
    return table && table->kind == StatementKind::Load && number->kind == StatementKind::Compute &&
           (definitions.strip(number->a) == place || definitions.strip(number->b) == place);
  };
  if (sources.size() != 2) return {};
  if (sources[0].isValue() && isInTableAt(sources[1], sources[0])) return sources[0];
  return sources[1].isValue() && isInTableAt(sources[0], sources[1]) ? sources[1] : Operand();
}

PointerTypes::PointerTypes(const Code &code, const VirtualCalls &tables)
    : code_(code), inTables_(code.symbols.functions.size()), elsewhere_(code.symbols.functions.size()) {
  findTaken(tables);
}

void PointerTypes::findTaken(const VirtualCalls &tables) {
  for (uint32_t u = 0; u < code_.units.size(); ++u)
    for (const model::Initialiser &row : code_.units[u].unit.initialisers) {
      FuncId function = code_.symbols.target(UnitId(u), row.target).function;
      GlobalId variable = code_.symbols.target(UnitId(u), row.variable).variable;
      if (!function.valid()) continue;
      bool isTable = variable.valid() && tables.isTable(variable);
      (isTable ? inTables_ : elsewhere_).set(function.value());
    }
  if (inTables_.none()) return;
  code_.forEachFunction([&](FuncId id) {
    if (!code_.function(id).external()) takeIn(id);
  });
}

void PointerTypes::takeIn(FuncId function) {
  UnitId unitId = code_.function(function).unit;
  const model::Unit &unit = code_.unit(unitId);
  auto take = [&](const Operand &operand) {
    if (!operand.isSymbol()) return;
    if (FuncId taken = code_.symbols.target(unitId, operand.symbol()).function; taken.valid())
      elsewhere_.set(taken.value());
  };
  Operand stored; // by the store before
  code_.forEachStatement(function, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
    take(statement.a);
    take(statement.b);
    if (statement.kind == StatementKind::Store) {
      const model::Site *site = statement.site.valid() ? &unit.sites[statement.site] : nullptr;
      if (site && site->size == 2 * kPointerBytes)
        takeSlot(statement.b, Operand::number(0), ownerInType(unit.strings[site->type]));
      else
        takeSlot(stored, statement.b, {});
      stored = statement.b;
    }
    if (statement.kind != StatementKind::Call) return;
    const model::Call &call = unit.calls[model::CallId(static_cast<uint32_t>(statement.number))];
    for (uint32_t i = 0; i < call.argumentCount; ++i) {
      take(argumentOf(unit, call, static_cast<int>(i)));
      if (i > 0)
        takeSlot(argumentOf(unit, call, static_cast<int>(i) - 1), argumentOf(unit, call, static_cast<int>(i)), {});
    }
  });
}

void PointerTypes::takeSlot(const Operand &first, const Operand &second, std::string_view owner) {
  constexpr int64_t kMostSlots = 4096;
  if (!first.isNumber() || !second.isNumber() || second.index % kPointerBytes != 0) return;
  const int64_t number = first.index;
  if (number > 0 && number < kPointerBytes * kMostSlots && number % kPointerBytes == 1)
    memberSlots_[std::string(owner)].insert(static_cast<uint32_t>(number - 1));
}

std::set<uint32_t> PointerTypes::memberSlots(std::string_view owner) const {
  std::set<uint32_t> found;
  for (const auto &[ownerOfSlots, slots] : memberSlots_)
    if (owner.empty() || ownerOfSlots.empty() || ownerOfSlots == owner) found.insert(slots.begin(), slots.end());
  return found;
}

std::string PointerTypes::wordsOf(const CallSite &site) const {
  const model::Call &call = code_.unit(site.unit).calls[site.call];
  if (inTables_.none() || !site.caller.valid() || !call.callee.isValue() || (call.flags & model::kVirtual)) return {};
  if (std::string words = invokedBy(code_.function(site.caller).display); !words.empty()) return words;
  Definitions definitions(code_, site.caller);
  const model::Statement *made = definitions.of(definitions.strip(call.callee).value());
  bool isChosen = made && (made->kind == StatementKind::Phi || made->kind == StatementKind::Choose);
  return isChosen ? std::string() : kAnyPlain;
}

bool PointerTypes::fits(std::string_view words, FuncId function) const {
  StringRef wanted = words, name = code_.function(function).display;
  bool isMember = !wanted.starts_with("(") && wanted != kAnyPlain;
  if (!isMember && isInTablesOnly(function)) return false;
  if (wanted == kAnyPlain) return true;
  StringRef parameters = parametersOf(name);
  if (parameters.empty()) return !isMember; // of C: its name does not tell
  StringRef owner = isMember ? wanted.take_front(ownerIn(words).size() + 2) : StringRef();
  if (isMember) wanted = wanted.substr(owner.size());
  return parameters == wanted && (!isMember || name.contains(owner));
}

// Before the `(` of the parameters, which may have brackets of their own.
std::string_view PointerTypes::ownerIn(std::string_view words) {
  constexpr std::string_view kNameless = "(anonymous namespace)";
  int depth = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words.substr(i).starts_with(kNameless)) i += kNameless.size();
    if (depth == 0 && words.substr(i).starts_with("::(") && !words.substr(i + 2).starts_with(kNameless))
      return words.substr(0, i);
    depth += words[i] == '<' || words[i] == '(';
    depth -= words[i] == '>' || words[i] == ')';
  }
  return {};
}

bool PointerTypes::areExact(std::string_view words) { return words.starts_with("("); }

void PointerTypes::keep(std::string_view words, std::vector<FuncId> &functions) const {
  auto fit = [&](FuncId id) { return fits(words, id); };
  if (words.empty() || std::ranges::none_of(functions, fit)) return;
  std::erase_if(functions, [&](FuncId id) { return !fits(words, id); });
}

} // namespace deadheat::link
