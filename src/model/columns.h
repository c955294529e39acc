// Which field of which row goes into which column of the format, and how its numbers are coded: the one list that the
// writer and the reader both follow.
//
//   Plain      unsigned LEB128
//   Delta      the difference to the row above (0 above the first), signed LEB128: for what grows or repeats down a table
//   Signed     signed LEB128
//   Optional   an id that may be missing: 0, or one more than the id, unsigned LEB128
//
// What follows from other columns is not stored: where the rows of a function, block or call begin in the next table,
// for they are in order and there are no others.
#pragma once

#include <tuple>

#include "model/model_generated.h"
#include "model/unit.h"

namespace deadheat::model {

using Bytes = flatbuffers::Vector<uint8_t>;

enum class Coding { Plain, Delta, Signed, Optional };

template <typename Row, typename Field, typename View, typename Builder> struct Column {
  Field Row::*field;
  const Bytes *(View::*read)() const;
  void (Builder::*write)(flatbuffers::Offset<Bytes>);
  Coding coding;
  bool later = false; // models that were made before it was there are without it
};

template <typename Row> struct Columns;

template <> struct Columns<Function> {
  using View = fb::Functions;
  using Builder = fb::FunctionsBuilder;
  static constexpr const char *kName = "function table";
  static constexpr auto kList = std::tuple{
      Column{&Function::name, &View::name, &Builder::add_name, Coding::Delta},
      Column{&Function::display, &View::display, &Builder::add_display, Coding::Delta},
      Column{&Function::file, &View::file, &Builder::add_file, Coding::Delta},
      Column{&Function::line, &View::line, &Builder::add_line, Coding::Delta},
      Column{&Function::firstSite, &View::first_site, &Builder::add_first_site, Coding::Delta},
      Column{&Function::siteCount, &View::site_count, &Builder::add_site_count, Coding::Plain},
      Column{&Function::blockCount, &View::block_count, &Builder::add_block_count, Coding::Plain},
      Column{&Function::parameterCount, &View::parameter_count, &Builder::add_parameter_count, Coding::Plain},
      Column{&Function::valueCount, &View::value_count, &Builder::add_value_count, Coding::Plain},
      Column{&Function::flags, &View::flags, &Builder::add_flags, Coding::Plain},
  };
};

template <> struct Columns<Site> {
  using View = fb::Sites;
  using Builder = fb::SitesBuilder;
  static constexpr const char *kName = "site table";
  static constexpr auto kList = std::tuple{
      Column{&Site::function, &View::function, &Builder::add_function, Coding::Delta},
      Column{&Site::file, &View::file, &Builder::add_file, Coding::Delta},
      Column{&Site::line, &View::line, &Builder::add_line, Coding::Delta},
      Column{&Site::column, &View::column, &Builder::add_column, Coding::Plain},
      Column{&Site::kind, &View::kind, &Builder::add_kind, Coding::Plain},
      Column{&Site::size, &View::size, &Builder::add_size, Coding::Plain},
      Column{&Site::path, &View::path, &Builder::add_path, Coding::Delta},
      Column{&Site::type, &View::type, &Builder::add_type, Coding::Plain},
      Column{&Site::field, &View::field, &Builder::add_field, Coding::Plain},
  };
};

template <> struct Columns<LateAccess> {
  using View = fb::LateAccesses;
  using Builder = fb::LateAccessesBuilder;
  static constexpr const char *kName = "late access table";
  static constexpr auto kList = std::tuple{
      Column{&LateAccess::function, &View::function, &Builder::add_function, Coding::Delta},
      Column{&LateAccess::kind, &View::kind, &Builder::add_kind, Coding::Plain},
      Column{&LateAccess::origin, &View::origin, &Builder::add_origin, Coding::Plain},
      Column{&LateAccess::size, &View::size, &Builder::add_size, Coding::Plain},
      Column{&LateAccess::first, &View::first, &Builder::add_first, Coding::Delta},
      Column{&LateAccess::count, &View::count, &Builder::add_count, Coding::Plain},
  };
};

template <> struct Columns<InlinedCall> {
  using View = fb::InlinedCalls;
  using Builder = fb::InlinedCallsBuilder;
  static constexpr const char *kName = "table of inlined calls";
  static constexpr auto kList = std::tuple{
      Column{&InlinedCall::caller, &View::caller, &Builder::add_caller, Coding::Optional},
      Column{&InlinedCall::line, &View::line, &Builder::add_line, Coding::Delta},
      Column{&InlinedCall::column, &View::column, &Builder::add_column, Coding::Plain},
      Column{&InlinedCall::outer, &View::outer, &Builder::add_outer, Coding::Plain},
  };
};

template <> struct Columns<Symbol> {
  using View = fb::Symbols;
  using Builder = fb::SymbolsBuilder;
  static constexpr const char *kName = "symbol table";
  static constexpr auto kList = std::tuple{
      Column{&Symbol::name, &View::name, &Builder::add_name, Coding::Delta},
      Column{&Symbol::display, &View::display, &Builder::add_display, Coding::Delta},
      Column{&Symbol::type, &View::type, &Builder::add_type, Coding::Plain},
      Column{&Symbol::file, &View::file, &Builder::add_file, Coding::Delta},
      Column{&Symbol::line, &View::line, &Builder::add_line, Coding::Delta},
      Column{&Symbol::kind, &View::kind, &Builder::add_kind, Coding::Plain},
      Column{&Symbol::linkage, &View::linkage, &Builder::add_linkage, Coding::Plain},
      Column{&Symbol::flags, &View::flags, &Builder::add_flags, Coding::Plain},
      Column{&Symbol::size, &View::size, &Builder::add_size, Coding::Plain},
      Column{&Symbol::function, &View::function, &Builder::add_function, Coding::Optional},
      Column{&Symbol::aliasee, &View::aliasee, &Builder::add_aliasee, Coding::Optional},
  };
};

template <> struct Columns<Initialiser> {
  using View = fb::Initialisers;
  using Builder = fb::InitialisersBuilder;
  static constexpr const char *kName = "initialiser table";
  static constexpr auto kList = std::tuple{
      Column{&Initialiser::variable, &View::variable, &Builder::add_variable, Coding::Delta},
      Column{&Initialiser::offset, &View::offset, &Builder::add_offset, Coding::Delta},
      Column{&Initialiser::target, &View::target, &Builder::add_target, Coding::Delta},
      Column{&Initialiser::addend, &View::addend, &Builder::add_addend, Coding::Signed},
      Column{&Initialiser::back, &View::back, &Builder::add_back, Coding::Plain, true},
  };
};

template <> struct Columns<Inheritance> {
  using View = fb::Inheritances;
  using Builder = fb::InheritancesBuilder;
  static constexpr const char *kName = "inheritance table";
  static constexpr auto kList = std::tuple{
      Column{&Inheritance::derived, &View::derived, &Builder::add_derived, Coding::Delta},
      Column{&Inheritance::base, &View::base, &Builder::add_base, Coding::Delta},
  };
};

template <> struct Columns<Block> {
  using View = fb::Blocks;
  using Builder = fb::BlocksBuilder;
  static constexpr const char *kName = "block table";
  static constexpr auto kList = std::tuple{
      Column{&Block::statementCount, &View::statement_count, &Builder::add_statement_count, Coding::Plain},
      Column{&Block::edgeCount, &View::edge_count, &Builder::add_edge_count, Coding::Plain},
  };
};

template <> struct Columns<Edge> {
  using View = fb::Edges;
  using Builder = fb::EdgesBuilder;
  static constexpr const char *kName = "edge table";
  static constexpr auto kList = std::tuple{
      Column{&Edge::target, &View::target, &Builder::add_target, Coding::Delta},
      Column{&Edge::kind, &View::kind, &Builder::add_kind, Coding::Plain},
      Column{&Edge::value, &View::value, &Builder::add_value, Coding::Signed},
  };
};

template <> struct Columns<Call> {
  using View = fb::Calls;
  using Builder = fb::CallsBuilder;
  static constexpr const char *kName = "call table";
  static constexpr auto kList = std::tuple{
      Column{&Call::argumentCount, &View::argument_count, &Builder::add_argument_count, Coding::Plain},
      Column{&Call::type, &View::type, &Builder::add_type, Coding::Plain},
      Column{&Call::file, &View::file, &Builder::add_file, Coding::Delta},
      Column{&Call::line, &View::line, &Builder::add_line, Coding::Delta},
      Column{&Call::column, &View::column, &Builder::add_column, Coding::Plain},
      Column{&Call::flags, &View::flags, &Builder::add_flags, Coding::Plain},
      Column{&Call::slot, &View::slot, &Builder::add_slot, Coding::Plain},
  };
};

} // namespace deadheat::model
