// Units made by hand, for tests of link and of the engines: functions as a person would write them down.
//
//   UnitBuilder unit("a.c");
//   auto counter = unit.variable("counter", 4);
//   unit.define("worker", 1);
//   unit.store(Operand::symbol(counter), Operand::number(1));
//   unit.ret();
//   model::LinkedUnit linked = unit.finish();
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "model/frame.h"
#include "model/unit.h"

namespace deadheat::link {

using model::Linkage;
using model::Operand;
using model::StatementKind;
using model::SymbolId;
using model::ValueId;

class UnitBuilder {
public:
  explicit UnitBuilder(std::string_view source) {
    unit_.source = source;
    file_ = text(source);
  }

  SymbolId variable(std::string_view name, uint64_t size, Linkage linkage = Linkage::External,
                    std::string_view type = "int", uint8_t flags = 0) {
    return unit_.symbols.add({text(name),
                              text(name),
                              text(type),
                              file_,
                              ++line_,
                              model::SymbolKind::Variable,
                              linkage,
                              flags,
                              size,
                              {},
                              {}});
  }

  SymbolId declare(std::string_view name, std::string_view signature = "void()") {
    return unit_.symbols.add({text(name),
                              text(name),
                              text(signature),
                              file_,
                              ++line_,
                              model::SymbolKind::Function,
                              Linkage::Declared,
                              0,
                              0,
                              {},
                              {}});
  }

  SymbolId alias(std::string_view name, SymbolId aliasee, Linkage linkage = Linkage::External) {
    model::Symbol symbol = unit_.symbols[aliasee];
    symbol.name = symbol.display = text(name);
    symbol.linkage = linkage;
    symbol.function = {};
    symbol.aliasee = aliasee;
    return unit_.symbols.add(symbol);
  }

  void initialise(SymbolId variable, uint64_t offset, SymbolId target, int64_t addend = 0, uint64_t back = 0) {
    unit_.initialisers.push_back({variable, offset, target, addend, back});
  }

  void inherit(std::string_view derived, std::string_view base) {
    unit_.inheritance.push_back({text(derived), text(base)});
  }

  void flag(SymbolId symbol, uint8_t flags) { unit_.symbols[symbol].flags |= flags; }

  // Begins a function; its statements follow.
  SymbolId define(std::string_view name, uint32_t parameters = 0, std::string_view signature = "void()",
                  Linkage linkage = Linkage::External, uint8_t flags = 0) {
    closeFunction();
    model::Function function{text(name), text(name), file_, ++line_};
    function.firstSite = model::SiteId(size(unit_.sites));
    function.firstBlock = model::BlockId(size(unit_.blocks));
    function.parameterCount = parameters;
    function.flags = flags;
    values_ = parameters;
    body_ = unit_.functions.add(function);
    unit_.functionSlots.push_back(body_);
    block();
    return unit_.symbols.add(
        {text(name), text(name), text(signature), file_, line_, model::SymbolKind::Function, linkage, 0, 0, body_, {}});
  }

  // Begins the next block of the function; returns its number.
  uint32_t block() {
    unit_.blocks.add({model::StatementId(size(unit_.statements)), 0, model::EdgeId(size(unit_.edges)), 0});
    return size(unit_.blocks) - 1 - unit_.functions[body_].firstBlock.value();
  }

  ValueId stack(int64_t bytes) { return add(StatementKind::Stack, true, {}, {}, bytes); }
  ValueId copy(Operand a) { return add(StatementKind::Copy, true, a); }
  ValueId field(Operand a, int64_t bytes) { return add(StatementKind::Field, true, a, {}, bytes); }
  ValueId index(Operand a, Operand b, int64_t size) { return add(StatementKind::Index, true, a, b, size); }
  ValueId compute(Operand a, Operand b) { return add(StatementKind::Compute, true, a, b); }
  ValueId choose(Operand a, Operand b) { return add(StatementKind::Choose, true, a, b); }
  ValueId load(Operand a) { return add(StatementKind::Load, true, a, {}, 0, model::AccessKind::Read); }
  void store(Operand a, Operand b) { add(StatementKind::Store, false, a, b, 0, model::AccessKind::Write); }
  void transfer(Operand to, Operand from, int64_t bytes) {
    add(StatementKind::Transfer, false, to, from, bytes, model::AccessKind::RangeWrite);
    unit_.sites[lastSite()].size = bytes > 0 ? static_cast<uint32_t>(bytes) : 0;
  }

  ValueId phi(std::initializer_list<std::pair<uint32_t, Operand>> rows) {
    ValueId result(values_++);
    for (auto &[from, value] : rows) row({StatementKind::Phi, result, value, {}, from, {}, {}});
    return result;
  }
  // For values that are used before their statement comes.
  ValueId newValue() { return ValueId(values_++); }
  void phiRow(ValueId result, uint32_t from, Operand value) {
    row({StatementKind::Phi, result, value, {}, from, {}, {}});
  }

  void fieldAs(ValueId result, Operand a, int64_t bytes) { row({StatementKind::Field, result, a, {}, bytes, {}, {}}); }

  void computeAs(ValueId result, Operand a, Operand b) { row({StatementKind::Compute, result, a, b, 0, {}, {}}); }

  ValueId call(Operand callee, std::initializer_list<Operand> arguments, std::string_view type = "void()",
               uint8_t flags = 0, uint32_t slot = 0) {
    model::Call made{callee,
                     model::ArgumentId(size(unit_.arguments)),
                     static_cast<uint32_t>(arguments.size()),
                     text(type),
                     file_,
                     ++line_,
                     1,
                     flags,
                     slot};
    for (Operand argument : arguments) unit_.arguments.add({argument, model::StringId(0)});
    return add(StatementKind::Call, true, {}, {}, unit_.calls.add(made).value());
  }
  ValueId call(SymbolId callee, std::initializer_list<Operand> arguments) {
    return call(Operand::symbol(callee), arguments);
  }

  void ret(Operand a = {}) { add(StatementKind::Return, false, a); }
  void jump(uint32_t block) {
    add(StatementKind::Jump, false);
    edge(block);
  }
  void branch(uint32_t then, uint32_t otherwise, Operand a = {}, Operand b = {},
              model::Predicate predicate = model::Predicate::Unknown) {
    add(StatementKind::Branch, false, a, b, static_cast<int64_t>(predicate));
    edge(then);
    edge(otherwise);
  }

  // The words of the last access: `path` is `field` of a `type`.
  void named(std::string_view path, std::string_view type, std::string_view field) {
    model::Site &site = unit_.sites[lastSite()];
    site.path = text(path);
    site.type = text(type);
    site.field = text(field);
  }

  model::LinkedUnit finish() {
    closeFunction();
    return {std::move(unit_), 1};
  }

  uint32_t line() const { return line_; }
  model::StatementId last() const { return model::StatementId(size(unit_.statements) - 1); }
  model::SiteId lastSite() const { return model::SiteId(size(unit_.sites) - 1); }

private:
  template <typename Table> static uint32_t size(const Table &table) { return static_cast<uint32_t>(table.size()); }
  model::StringId text(std::string_view words) { return unit_.strings.intern(words); }

  void closeFunction() {
    if (!body_.valid()) return;
    model::Function &function = unit_.functions[body_];
    function.blockCount = size(unit_.blocks) - function.firstBlock.value();
    function.siteCount = size(unit_.sites) - function.firstSite.value();
    function.valueCount = values_;
  }

  model::Block &current() { return unit_.blocks[model::BlockId(size(unit_.blocks) - 1)]; }

  void row(const model::Statement &statement) {
    unit_.statements.add(statement);
    ++current().statementCount;
  }

  ValueId add(StatementKind kind, bool result, Operand a = {}, Operand b = {}, int64_t number = 0) {
    ValueId value = result ? ValueId(values_++) : ValueId();
    row({kind, value, a, b, number, {}, {}});
    return value;
  }

  ValueId add(StatementKind kind, bool result, Operand a, Operand b, int64_t number, model::AccessKind access) {
    ValueId value = add(kind, result, a, b, number);
    unit_.statements[last()].site = unit_.sites.add(
        {body_, file_, ++line_, 1, access, 8, model::StringId(0), model::StringId(0), model::StringId(0)});
    return value;
  }

  void edge(uint32_t target) {
    unit_.edges.add({target});
    ++current().edgeCount;
  }

  model::Unit unit_;
  model::StringId file_;
  model::FunctionId body_;
  uint32_t values_ = 0;
  uint32_t line_ = 0;
};

// The whole of a test program in one binary.
template <typename... Builders> std::vector<model::LinkedUnit> unitsOf(Builders &...builders) {
  std::vector<model::LinkedUnit> units;
  (units.push_back(builders.finish()), ...);
  return units;
}

} // namespace deadheat::link
