#include "link/symbols.h"

#include "gtest/gtest.h"

#include "link/unit_builder.h"

namespace deadheat::link {
namespace {

TEST(Symbols, DeclarationMeansTheDefinitionOfAnotherUnit) {
  UnitBuilder user("user.c"), owner("owner.c");
  SymbolId use = user.declare("work");
  SymbolId definition = owner.define("work");
  owner.ret();
  auto units = unitsOf(user, owner);
  Gaps gaps;
  Symbols symbols = resolveSymbols(units, {0, 0}, knowledge::Table(), gaps);
  Target target = symbols.target(UnitId(0), use);
  EXPECT_EQ(target, symbols.target(UnitId(1), definition));
  EXPECT_FALSE(symbols.functions[target.function].external());
  EXPECT_EQ(symbols.functions[target.function].unit, UnitId(1));
}

TEST(Symbols, InternalNamesStayApart) {
  UnitBuilder first("a.c"), second("b.c");
  SymbolId one = first.variable("state", 4, Linkage::Internal);
  SymbolId two = second.variable("state", 4, Linkage::Internal);
  auto units = unitsOf(first, second);
  Gaps gaps;
  Symbols symbols = resolveSymbols(units, {0, 0}, knowledge::Table(), gaps);
  EXPECT_NE(symbols.target(UnitId(0), one).variable, symbols.target(UnitId(1), two).variable);
}

TEST(Symbols, FirstWeakDefinitionIsTakenAndAStrongOneBeatsIt) {
  UnitBuilder weak("a.cpp"), again("b.cpp"), strong("c.cpp");
  SymbolId onlyWeak = weak.define("inline_function", 0, "void()", Linkage::Weak);
  weak.ret();
  SymbolId beaten = weak.define("hook", 0, "void()", Linkage::Weak);
  weak.ret();
  SymbolId duplicate = again.define("inline_function", 0, "void()", Linkage::Weak);
  again.ret();
  strong.define("hook");
  strong.ret();
  auto units = unitsOf(weak, again, strong);
  Gaps gaps;
  Symbols symbols = resolveSymbols(units, {0, 0, 0}, knowledge::Table(), gaps);
  EXPECT_EQ(symbols.functions[symbols.target(UnitId(1), duplicate).function].unit, UnitId(0));
  EXPECT_EQ(symbols.target(UnitId(0), onlyWeak), symbols.target(UnitId(1), duplicate));
  EXPECT_FALSE(symbols.function(UnitId(1), model::FunctionId(0)).valid());
  EXPECT_EQ(symbols.functions[symbols.target(UnitId(0), beaten).function].unit, UnitId(2));
  EXPECT_TRUE(gaps.list().empty());
}

TEST(Symbols, TwoStrongDefinitionsAreAGap) {
  UnitBuilder first("a.c"), second("b.c");
  first.define("main");
  first.ret();
  second.define("main");
  second.ret();
  auto units = unitsOf(first, second);
  Gaps gaps;
  resolveSymbols(units, {0, 0}, knowledge::Table(), gaps);
  EXPECT_EQ(gaps.count(GapKind::DuplicateDefinition), 1u);
}

TEST(Symbols, AliasMeansWhatItsAliaseeMeans) {
  UnitBuilder unit("a.c"), user("b.c");
  SymbolId real = unit.define("real");
  unit.ret();
  unit.alias("other_name", real);
  SymbolId use = user.declare("other_name");
  auto units = unitsOf(unit, user);
  Gaps gaps;
  Symbols symbols = resolveSymbols(units, {0, 0}, knowledge::Table(), gaps);
  EXPECT_EQ(symbols.target(UnitId(1), use), symbols.target(UnitId(0), real));
}

TEST(Symbols, ExecutableInterposesWhatALibraryExportsAndNotWhatItHides) {
  UnitBuilder executable("main.c"), library("lib.c");
  SymbolId mine = executable.define("exported");
  executable.ret();
  SymbolId alsoMine = executable.define("hidden");
  executable.ret();
  SymbolId exported = library.define("exported");
  library.ret();
  library.flag(exported, model::kInterposable);
  SymbolId hidden = library.define("hidden");
  library.ret();
  auto units = unitsOf(executable, library);
  Gaps gaps;
  Symbols symbols = resolveSymbols(units, {0, 1}, knowledge::Table(), gaps);
  EXPECT_EQ(symbols.target(UnitId(1), exported), symbols.target(UnitId(0), mine));
  EXPECT_NE(symbols.target(UnitId(1), hidden), symbols.target(UnitId(0), alsoMine));
  EXPECT_TRUE(gaps.list().empty());
}

TEST(Symbols, UndefinedNameIsOneExternalFunction) {
  UnitBuilder first("a.c"), second("b.c");
  SymbolId one = first.declare("write"), two = second.declare("write");
  auto units = unitsOf(first, second);
  Gaps gaps;
  Symbols symbols = resolveSymbols(units, {0, 0}, knowledge::Table(), gaps);
  EXPECT_EQ(symbols.target(UnitId(0), one), symbols.target(UnitId(1), two));
  EXPECT_TRUE(symbols.functions[symbols.target(UnitId(0), one).function].external());
  EXPECT_EQ(symbols.functions.size(), 1u);
}

} // namespace
} // namespace deadheat::link
