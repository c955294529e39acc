// Which field of which row goes into which column of the format, and how its numbers are coded: the one list that the
// writer and the reader both follow.
//
//   Plain   unsigned LEB128
//   Delta   the difference to the row above (0 above the first), signed LEB128: for what grows or repeats down a table
#pragma once

#include <tuple>

#include "model/model_generated.h"
#include "model/unit.h"

namespace deadheat::model {

using Bytes = flatbuffers::Vector<uint8_t>;

enum class Coding { Plain, Delta };

template <typename Row, typename Field, typename View, typename Builder> struct Column {
  Field Row::*field;
  const Bytes *(View::*read)() const;
  void (Builder::*write)(flatbuffers::Offset<Bytes>);
  Coding coding;
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

} // namespace deadheat::model
