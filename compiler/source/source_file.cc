#include "compiler/source/source_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

namespace tenure::compiler {

uint32_t SourcePosition::line() const {
  if (file == nullptr) return 0;
  const uint32_t physical = file->PhysicalLine(offset);
  const SourceFile::LineMark* mark = file->FindMark(physical);
  return mark == nullptr ? physical : mark->line + (physical - mark->physical_line);
}

uint32_t SourcePosition::column() const {
  if (file == nullptr) return 0;
  return offset - file->LineStart(file->PhysicalLine(offset)) + 1;
}

std::string_view SourcePosition::path() const {
  if (file == nullptr) return {};
  const SourceFile::LineMark* mark = file->FindMark(file->PhysicalLine(offset));
  return mark == nullptr ? file->path() : std::string_view(mark->path);
}

std::string_view SourceSpan::text() const {
  if (file == nullptr || begin >= file->size() || end <= begin) return {};
  return file->text().substr(begin, end - begin);
}

SourceSpan Join(SourceSpan first, SourceSpan last) {
  if (!first.valid()) return last;
  if (!last.valid()) return first;
  return {first.file, std::min(first.begin, last.begin), std::max(first.end, last.end)};
}

SourceFile::SourceFile(std::string path, std::string text, bool is_too_large)
    : path_(std::move(path)), text_(std::move(text)), is_too_large_(is_too_large) {
  if (text_.size() > kMaxBytes) {
    text_ = {};
    is_too_large_ = true;
  }
  line_starts_.push_back(0);
  for (uint32_t i = 0; i < size(); ++i) {
    const bool lone_cr = text_[i] == '\r' && (i + 1 == size() || text_[i + 1] != '\n');
    if (text_[i] == '\n' || lone_cr) line_starts_.push_back(i + 1);
  }
}

uint32_t SourceFile::PhysicalLine(uint32_t offset) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return static_cast<uint32_t>(after - line_starts_.begin());
}

uint32_t SourceFile::LineStart(uint32_t physical_line) const {
  if (physical_line == 0) return 0;
  if (physical_line > line_starts_.size()) return size();
  return line_starts_[physical_line - 1];
}

std::string_view SourceFile::LineText(uint32_t physical_line) const {
  const uint32_t begin = LineStart(physical_line);
  uint32_t end = LineStart(physical_line + 1);
  while (end > begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  return std::string_view(text_).substr(begin, end - begin);
}

void SourceFile::AddLineMark(uint32_t offset, uint32_t line, std::string_view path) const {
  if (!line_marks_.empty() && line_marks_.back().offset >= offset) return;
  std::string mark_path(path);
  if (mark_path.empty()) mark_path = line_marks_.empty() ? path_ : line_marks_.back().path;
  line_marks_.push_back({offset, PhysicalLine(offset) + 1, line, std::move(mark_path)});
}

const SourceFile::LineMark* SourceFile::FindMark(uint32_t physical_line) const {
  // The later of two marks in one line counts, so find the last mark that is not behind the line.
  const auto after = std::upper_bound(
      line_marks_.begin(), line_marks_.end(), physical_line,
      [](uint32_t line, const LineMark& mark) { return line < mark.physical_line; });
  return after == line_marks_.begin() ? nullptr : &*(after - 1);
}

int ReadWholeFile(const std::string& path, std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return errno;
  text.clear();
  // A file that is too long is not read. The length of a file that is not regular is known only
  // after reading.
  struct stat status;
  int error = 0;
  if (fstat(fileno(file), &status) == 0 && status.st_size > SourceFile::kMaxBytes) error = EFBIG;
  char buffer[65536];
  size_t count;
  while (error == 0 && (count = std::fread(buffer, 1, sizeof buffer, file)) > 0) {
    text.append(buffer, count);
    if (text.size() > SourceFile::kMaxBytes) error = EFBIG;
  }
  // Reading a directory fails here with EISDIR.
  if (std::ferror(file)) error = errno != 0 ? errno : EIO;
  std::fclose(file);
  if (error == EFBIG) text = {};
  return error;
}

}  // namespace tenure::compiler
