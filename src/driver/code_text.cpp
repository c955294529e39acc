#include "driver/code_text.h"

#include "model/moves.h"
#include "model/names.h"
#include "support/text_table.h"

namespace deadheat::driver {
namespace {

using namespace model;

struct FlagName {
  uint8_t flag;
  const char *name;
};
constexpr FlagName kFunctionFlags[] = {{kStartUp, "before main"},
                                       {kShutDown, "after main"},
                                       {kVariadic, "variadic"},
                                       {kReduced, "reduced"},
                                       {kLibrary, "library"}};
constexpr FlagName kSymbolFlags[] = {{kThreadLocal, "thread-local"},
                                     {kConstant, "constant"},
                                     {kAddressTaken, "address taken"},
                                     {kInterposable, "interposable"}};

template <typename Names> std::string words(uint8_t flags, const Names &names) {
  std::string text;
  for (const FlagName &row : names)
    if (flags & row.flag) text += (text.empty() ? "" : ", ") + std::string(row.name);
  return text;
}

std::string signedText(int64_t number) {
  return number < 0 ? " - " + std::to_string(-number) : " + " + std::to_string(number);
}

class CodePrinter {
public:
  CodePrinter(llvm::raw_ostream &out, const Unit &unit, const Function &function)
      : out_(out), unit_(unit), function_(function) {}

  void print() {
    out_ << "    code: " << function_.parameterCount << " parameters, " << function_.valueCount << " values";
    if (std::string flags = words(function_.flags, kFunctionFlags); !flags.empty()) out_ << ", " << flags;
    out_ << '\n';
    for (uint32_t i = 0; i < function_.blockCount; ++i) {
      out_ << "    block " << i << '\n';
      printBlock(unit_.blocks[BlockId(function_.firstBlock.value() + i)]);
    }
  }

private:
  void printBlock(const Block &block) {
    for (uint32_t i = 0; i < block.statementCount; ++i) {
      const Statement &row = unit_.statements[StatementId(block.firstStatement.value() + i)];
      out_ << "      ";
      if (row.result.valid()) out_ << '%' << row.result.value() << " = ";
      out_ << statement(row, block);
      if (row.site.valid()) out_ << "  " << site(row.site);
      if (row.other.valid()) out_ << " <- " << site(row.other);
      if (i + 1 == block.statementCount && row.kind == StatementKind::Call) out_ << edges(block);
      out_ << '\n';
    }
  }

  std::string statement(const Statement &row, const Block &block) const {
    switch (row.kind) {
    case StatementKind::Stack: return "stack " + std::to_string(row.number);
    case StatementKind::Copy: return "copy " + text(row.a);
    case StatementKind::Phi: return "phi " + text(row.a) + " from " + std::to_string(row.number);
    case StatementKind::Field: return "field " + text(row.a) + signedText(row.number);
    case StatementKind::Index: return "index " + text(row.a) + " + " + text(row.b) + " * " + std::to_string(row.number);
    case StatementKind::Compute:
      return (row.number == model::kFolds ? "fold " : "compute ") + text(row.a) + ", " + text(row.b);
    case StatementKind::Compare: return "compare " + comparison(row);
    case StatementKind::Choose: return "choose " + text(row.a) + ", " + text(row.b);
    case StatementKind::Load: return "load " + text(row.a) + isVolatile(row);
    case StatementKind::Store: return "store " + text(row.a) + " = " + text(row.b) + isVolatile(row);
    case StatementKind::AtomicLoad: return "atomic load " + text(row.a) + order(row);
    case StatementKind::AtomicStore: return "atomic store " + text(row.a) + " = " + text(row.b) + order(row);
    case StatementKind::AtomicUpdate: return "atomic update " + text(row.a) + " with " + text(row.b) + order(row);
    case StatementKind::Transfer: return "transfer " + text(row.a) + " = " + text(row.b) + bytes(row);
    case StatementKind::Fill: return "fill " + text(row.a) + " = " + text(row.b) + bytes(row);
    case StatementKind::Fence: return "fence" + order(row);
    case StatementKind::Call: return call(unit_.calls[CallId(static_cast<uint32_t>(row.number))]);
    case StatementKind::Return: return row.a.kind == OperandKind::None ? "return" : "return " + text(row.a);
    case StatementKind::Branch: return "branch " + comparison(row) + " ?" + edges(block);
    case StatementKind::Switch: return "switch " + text(row.a) + edges(block);
    case StatementKind::Jump: return "jump" + edges(block);
    case StatementKind::Stop: return "stop";
    }
    return {};
  }

  std::string text(const Operand &operand) const {
    switch (operand.kind) {
    case OperandKind::None: return "_";
    case OperandKind::Value: return "%" + std::to_string(operand.index);
    case OperandKind::Symbol: return "@" + name(operand.symbol());
    case OperandKind::Number: return std::to_string(operand.index);
    }
    return {};
  }

  std::string name(SymbolId id) const {
    const Symbol &symbol = unit_.symbols[id];
    return printable(unit_.strings[symbol.display]);
  }

  std::string comparison(const Statement &row) const {
    return text(row.a) + " " + std::string(model::name(static_cast<Predicate>(row.number))) + " " + text(row.b);
  }
  static std::string order(const Statement &row) {
    const Move move = model::moveOf(row);
    return ", " + std::string(model::name(model::orderOf(row))) +
           (move == Move::Up     ? ", up"
            : move == Move::Down ? ", down"
                                 : "");
  }
  static std::string isVolatile(const Statement &row) { return row.number ? ", volatile" : ""; }
  static std::string bytes(const Statement &row) {
    return row.number < 0 ? ", ? bytes" : ", " + std::to_string(row.number) + " bytes";
  }

  std::string site(SiteId id) const {
    return "site " + std::to_string(id.value()) + " " + printable(unit_.strings[unit_.sites[id].path]);
  }

  std::string call(const Call &row) const {
    std::string line = "call ";
    if (row.flags & kVirtual) line += "virtual +" + std::to_string(row.slot) + " ";
    line += row.flags & kAssembly ? "assembly" : text(row.callee);
    line += "(";
    for (uint32_t i = 0; i < row.argumentCount; ++i) {
      const Argument &argument = unit_.arguments[ArgumentId(row.firstArgument.value() + i)];
      line += (i ? ", " : "") + text(argument.value);
      if (std::string_view path = unit_.strings[argument.path]; !path.empty()) line += " '" + printable(path) + "'";
    }
    line += ")";
    if (std::string_view type = unit_.strings[row.type]; !type.empty()) line += " as " + printable(type);
    if (row.flags & kMayUnwind) line += ", may unwind";
    if (row.flags & kNoReturn) line += ", does not return";
    return line + "  " + place(row);
  }

  // The file only where it is not the function's own.
  std::string place(const Call &row) const {
    std::string spot = std::to_string(row.line) + ":" + std::to_string(row.column);
    return row.file == function_.file ? spot : printable(unit_.strings[row.file]) + ":" + spot;
  }

  std::string edges(const Block &block) const {
    std::string line;
    for (uint32_t i = 0; i < block.edgeCount; ++i) {
      const Edge &edge = unit_.edges[EdgeId(block.firstEdge.value() + i)];
      line += " ";
      if (edge.kind == EdgeKind::Case) line += std::to_string(edge.value) + " ";
      if (edge.kind == EdgeKind::Default) line += "else ";
      if (edge.kind == EdgeKind::Unwind) line += "unwind ";
      line += "->" + std::to_string(edge.target);
    }
    return line;
  }

  llvm::raw_ostream &out_;
  const Unit &unit_;
  const Function &function_;
};

} // namespace

void printCode(llvm::raw_ostream &out, const Unit &unit, const Function &function) {
  CodePrinter(out, unit, function).print();
}

void printSymbols(llvm::raw_ostream &out, const Unit &unit) {
  using Align = TextTable::Align;
  auto text = [&](StringId id) { return std::string(unit.strings[id]); };
  TextTable table({Align::Left, Align::Left, Align::Left, Align::Left, Align::Right, Align::Left});
  for (const Symbol &symbol : unit.symbols)
    table.add({symbol.kind == SymbolKind::Function ? "function" : "variable", std::string(name(symbol.linkage)),
               text(symbol.display), text(symbol.type), symbol.size ? std::to_string(symbol.size) : "",
               words(symbol.flags, kSymbolFlags) +
                   (symbol.aliasee.valid() ? "alias of " + text(unit.symbols[symbol.aliasee].display) : "")});
  table.print(out, "  ");
  for (const Initialiser &row : unit.initialisers) {
    out << "  at " << printable(text(unit.symbols[row.variable].display)) << " + " << row.offset << ": "
        << printable(text(unit.symbols[row.target].display));
    if (row.addend != 0) out << signedText(row.addend);
    if (row.back != 0) out << ", first at " << row.offset - row.back;
    out << '\n';
  }
  for (const Inheritance &row : unit.inheritance)
    out << "  class " << printable(text(row.derived)) << " : " << printable(text(row.base)) << '\n';
}

} // namespace deadheat::driver
