// How the rows of a query are written: as a table for people, JSON lines, or CSV.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "dbtool/query/run.h"

namespace tenure::dbtool {

enum class RowFormat : uint8_t { kTable, kJsonLines, kCsv };

// table, jsonl, csv. Nothing: another name.
std::optional<RowFormat> RowFormatNamed(std::string_view name);

class RowWriter : public RowSink {
 public:
  // Appends rows to the text. `flush`, if given, is called when the caller should take the text,
  // and returns whether to go on. `columns`: a table with texts is made no wider, if that is
  // possible; 0: no terminal shows it.
  static std::unique_ptr<RowWriter> Make(RowFormat format, Values& values, std::string* out,
                                         std::function<bool()> flush = {}, size_t columns = 0);
  // Writes the rest. Called once, behind the last row.
  virtual void End() = 0;
};

}  // namespace tenure::dbtool
