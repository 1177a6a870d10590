#include "dbtool/query/results.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/terminal_text.h"

namespace tenure::dbtool {

namespace {

constexpr size_t kFlushed = 1 << 16;  // bytes that are kept before they are written

class Writer : public RowWriter {
 public:
  Writer(Values& values, std::string* out, std::function<bool()> flush)
      : values_(values), out_(*out), flush_(std::move(flush)) {}

 protected:
  bool MaybeFlush() {
    if (!flush_ || out_.size() < kFlushed) return true;
    return flush_();
  }

  Values& values_;
  std::string& out_;

 private:
  const std::function<bool()> flush_;
};

class TableWriter : public Writer {
 public:
  TableWriter(Values& values, std::string* out, std::function<bool()> flush, size_t columns)
      : Writer(values, out, std::move(flush)), columns_(columns) {}

  void Begin(const std::vector<std::string>& columns) override {
    names_ = columns;
    right_.assign(columns.size(), true);
  }

  bool Add(const std::vector<Datum>& row) override {
    std::vector<std::string> cells;
    for (size_t i = 0; i < row.size(); ++i) {
      ShowLimits limits;
      limits.elements = 5;
      limits.characters = 60;
      limits.depth = 2;
      std::string cell;
      if (row[i].kind == DatumKind::kText) {
        // A text stands without quotes, but on one line. One more cell than is shown tells that it
        // goes on.
        const std::string_view text = BeginningWithin(kWidest + 1, row[i].text);
        const std::string quoted = Quoted(text);
        cell = quoted.substr(1, quoted.size() - 2);
        if (quoted.find('\\') == std::string::npos) cell = text;
      } else {
        cell = values_.Text(row[i], limits);
      }
      cells.push_back(Cut(cell, kWidest));
      if (row[i].kind != DatumKind::kInteger && row[i].kind != DatumKind::kReal && !row[i].none()) {
        right_[i] = false;
      }
    }
    rows_.push_back(std::move(cells));
    ++count_;
    if (rows_.size() < kMeasured) return true;
    Print();
    return MaybeFlush();
  }

  void End() override {
    Print();
    out_ += "(" + std::to_string(count_) + (count_ == 1 ? " row)\n" : " rows)\n");
  }

 private:
  static constexpr size_t kMeasured = 1000;  // rows by which the columns' widths are chosen
  static constexpr size_t kWidest = 60;

  // A narrow terminal makes columns of texts narrower, down to this, and never those of numbers.
  static constexpr size_t kNarrowest = 8;
  static constexpr std::string_view kGap = "  ";

  static std::string Cut(const std::string& cell, size_t most) {
    if (CellsOf(cell) <= most) return cell;
    return std::string(BeginningWithin(most - 3, cell)) + "...";
  }

  void PrintRow(const std::vector<std::string>& cells, bool head) {
    std::string line;
    for (size_t i = 0; i < cells.size(); ++i) {
      const std::string cell = IsNarrowed(i) ? Cut(cells[i], widths_[i]) : cells[i];
      const size_t width = CellsOf(cell);
      const std::string blanks(widths_[i] > width ? widths_[i] - width : 0, ' ');
      if (i != 0) line += kGap;
      const bool right = right_[i] && !head;
      line += right ? blanks + cell : cell + blanks;
    }
    while (line.ends_with(' ')) line.pop_back();
    out_ += line + "\n";
  }

  // Rows behind those by which the widths were chosen may be wider; on a terminal they are cut.
  bool IsNarrowed(size_t column) const {
    return columns_ != 0 && !right_[column] && widths_[column] >= kNarrowest;
  }

  // The widest column of texts; nothing if none can be narrower.
  std::optional<size_t> WidestText() const {
    std::optional<size_t> widest;
    for (size_t i = 0; i < widths_.size(); ++i) {
      if (right_[i] || widths_[i] <= kNarrowest) continue;
      if (!widest || widths_[i] > widths_[*widest]) widest = i;
    }
    return widest;
  }

  void ChooseWidths() {
    for (const std::string& name : names_) widths_.push_back(CellsOf(name));
    for (const auto& row : rows_) {
      for (size_t i = 0; i < row.size(); ++i) widths_[i] = std::max(widths_[i], CellsOf(row[i]));
    }
    if (columns_ == 0) return;
    size_t total = kGap.size() * (widths_.empty() ? 0 : widths_.size() - 1);
    for (const size_t width : widths_) total += width;
    for (std::optional<size_t> widest; total > columns_ && (widest = WidestText()); --total) {
      --widths_[*widest];
    }
  }

  void Print() {
    if (widths_.empty()) {
      ChooseWidths();
      PrintRow(names_, true);
      std::vector<std::string> rule;
      for (const size_t width : widths_) rule.emplace_back(width, '-');
      PrintRow(rule, true);
    }
    for (const auto& row : rows_) PrintRow(row, false);
    rows_.clear();
  }

  const size_t columns_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<size_t> widths_;
  std::vector<bool> right_;
  uint64_t count_ = 0;
};

class JsonWriter : public Writer {
 public:
  using Writer::Writer;

  void Begin(const std::vector<std::string>& columns) override { names_ = columns; }

  bool Add(const std::vector<Datum>& row) override {
    Json line = Json::object();
    for (size_t i = 0; i < row.size(); ++i)
      line[names_[i]] = values_.AsJson(row[i], ShowLimits::None());
    out_ += LineOf(line) + "\n";
    return MaybeFlush();
  }

  void End() override {}

 private:
  std::vector<std::string> names_;
};

// RFC 4180, with line feeds alone, as Unix programs write them. NIL is empty, and an empty text is
// two quotes.
class CsvWriter : public Writer {
 public:
  using Writer::Writer;

  void Begin(const std::vector<std::string>& columns) override {
    for (size_t i = 0; i < columns.size(); ++i) out_ += (i == 0 ? "" : ",") + Cell(columns[i]);
    out_ += "\n";
  }

  bool Add(const std::vector<Datum>& row) override {
    for (size_t i = 0; i < row.size(); ++i) {
      if (i != 0) out_ += ",";
      const Datum& value = row[i];
      switch (value.kind) {
        case DatumKind::kNone: break;
        case DatumKind::kText: out_ += value.text.empty() ? "\"\"" : Cell(value.text); break;
        case DatumKind::kBoolean: out_ += value.number != 0 ? "true" : "false"; break;
        case DatumKind::kReference: out_ += Show(value.reference); break;
        case DatumKind::kSet:
        case DatumKind::kArray:
        case DatumKind::kRecord:
          out_ += Cell(LineOf(values_.AsJson(value, ShowLimits::None())));
          break;
        case DatumKind::kCharacter: {
          const Json character = values_.AsJson(value, ShowLimits::None());
          out_ += Cell(character.get<std::string>());
          break;
        }
        default: out_ += Cell(values_.Text(value, ShowLimits::None()));
      }
    }
    out_ += "\n";
    return MaybeFlush();
  }

  void End() override {}

 private:
  static std::string Cell(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos && !text.starts_with(' ') &&
        !text.ends_with(' ')) {
      return text;
    }
    std::string out = "\"";
    for (const char c : text) {
      if (c == '"') out += c;
      out += c;
    }
    return out + "\"";
  }
};

}  // namespace

std::optional<RowFormat> RowFormatNamed(std::string_view name) {
  if (name == "table") return RowFormat::kTable;
  if (name == "jsonl" || name == "json") return RowFormat::kJsonLines;
  if (name == "csv") return RowFormat::kCsv;
  return std::nullopt;
}

std::unique_ptr<RowWriter> RowWriter::Make(RowFormat format, Values& values, std::string* out,
                                           std::function<bool()> flush, size_t columns) {
  switch (format) {
    case RowFormat::kTable:
      return std::make_unique<TableWriter>(values, out, std::move(flush), columns);
    case RowFormat::kJsonLines: return std::make_unique<JsonWriter>(values, out, std::move(flush));
    case RowFormat::kCsv: break;
  }
  return std::make_unique<CsvWriter>(values, out, std::move(flush));
}

}  // namespace tenure::dbtool
