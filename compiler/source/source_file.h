// A source file's text, and the positions and spans that all later phases use to point into it.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenure::compiler {

class SourceFile;

// A place in a source file: the byte at `offset`, or the end of the text. Default constructed: no
// place (for messages about the whole command). A cheap value, valid as long as its file.
struct SourcePosition {
  const SourceFile* file = nullptr;
  uint32_t offset = 0;

  bool valid() const { return file != nullptr; }
  // The line as messages and run-time errors show it, from 1; a LINE pragma changes it (language.md
  // 26).
  uint32_t line() const;
  // The column from 1, in bytes.
  uint32_t column() const;
  // The file's path as messages show it; a LINE pragma changes it.
  std::string_view path() const;

  friend bool operator==(SourcePosition a, SourcePosition b) {
    return a.file == b.file && a.offset == b.offset;
  }
};

// The bytes [begin, end) of one file. An empty span is a place between two bytes.
struct SourceSpan {
  const SourceFile* file = nullptr;
  uint32_t begin = 0;
  uint32_t end = 0;

  bool valid() const { return file != nullptr; }
  SourcePosition start() const { return {file, begin}; }
  SourcePosition finish() const { return {file, end}; }
  // The source text that the span covers; empty if invalid.
  std::string_view text() const;
  uint32_t line() const { return start().line(); }
  uint32_t column() const { return start().column(); }

  friend bool operator==(SourceSpan a, SourceSpan b) {
    return a.file == b.file && a.begin == b.begin && a.end == b.end;
  }
};

// From the start of `first` to the end of `last`, both in one file. If one is invalid, the other.
SourceSpan Join(SourceSpan first, SourceSpan last);

// One file's text with its line map. Never moves: positions point to it, so it must outlive them.
// The text is Latin-1 (language.md 1.1), kept as bytes. One thread.
class SourceFile {
 public:
  // The longest text that offsets can address.
  static constexpr uint32_t kMaxBytes = 1u << 30;

  // `path` is shown in messages as it is given. A text longer than kMaxBytes is not kept;
  // `is_too_large`: it was not read either.
  SourceFile(std::string path, std::string text, bool is_too_large = false);
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;

  std::string_view path() const { return path_; }
  std::string_view text() const { return text_; }
  uint32_t size() const { return static_cast<uint32_t>(text_.size()); }
  bool is_too_large() const { return is_too_large_; }

  // Physical lines, counted from 1 and ended by LF, CR LF, or CR. There is always at least one.
  uint32_t line_count() const { return static_cast<uint32_t>(line_starts_.size()); }
  uint32_t PhysicalLine(uint32_t offset) const;
  uint32_t LineStart(uint32_t physical_line) const;
  // The line's text without its line end.
  std::string_view LineText(uint32_t physical_line) const;

  // Records a LINE pragma that ends at `offset`: the next physical line counts as `line` of `path`
  // (of the path so far, if empty). The lexer calls this, in the order of the text; an offset that
  // is already recorded is ignored, so that a file can be read again. const: the mark only changes
  // how positions are shown.
  void AddLineMark(uint32_t offset, uint32_t line, std::string_view path) const;

  // A span of this file.
  SourceSpan Span(uint32_t begin, uint32_t end) const { return {this, begin, end}; }

 private:
  friend struct SourcePosition;

  struct LineMark {
    uint32_t offset;         // Offset of the pragma's end.
    uint32_t physical_line;  // The first line that it governs.
    uint32_t line;           // The number that the pragma gives that line.
    std::string path;
  };
  // The mark that governs `physical_line`, or null.
  const LineMark* FindMark(uint32_t physical_line) const;

  std::string path_;
  std::string text_;
  bool is_too_large_ = false;
  std::vector<uint32_t> line_starts_;  // Ascending; the first is 0.
  mutable std::vector<LineMark> line_marks_;
};

// Some editors write it before a text in UTF-8; it is not part of the text.
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Why a file could not be read: an errno value, 0 for success.
// On success `text` holds the whole file.
int ReadWholeFile(const std::string& path, std::string& text);

}  // namespace tenure::compiler
