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
  // Adds to the text what has been written; `flush`, if it is given, is called when the text is to
  // be taken from there, and answers whether more can be written.
  static std::unique_ptr<RowWriter> Make(RowFormat format, Values& values, std::string* out,
                                         std::function<bool()> flush = {});
  // Writes what is left. Call it once, behind the last row.
  virtual void End() = 0;
};

}  // namespace tenure::dbtool
