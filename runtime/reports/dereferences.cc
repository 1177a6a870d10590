#include "runtime/reports/dereferences.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

#include "abi/dereferences.h"
#include "runtime/exceptions/dwarf_reader.h"

// The linker defines these around the section, if the program has it.
extern "C" {
extern const char first_byte __asm__("__start_tn_dereferences") __attribute__((weak));
extern const char end_of_bytes __asm__("__stop_tn_dereferences") __attribute__((weak));
}

namespace tenure::runtime {
namespace {

struct NilAccess {
  uintptr_t code = 0, address = 0;
  bool is_store = false;
};
thread_local NilAccess latest;

struct Dereference {
  uint64_t line;
  int64_t offset;
  uint64_t bytes;
  bool is_store;
  std::string_view text;
};

// Reads the table from its front.
class Reader {
 public:
  Reader(const char* at, const char* end)
      : table_(reinterpret_cast<const uint8_t*>(at)), end_(reinterpret_cast<const uint8_t*>(end)) {}

  bool AtEnd() const { return table_.at() >= end_; }

  std::string_view Text() {
    const auto* const start = reinterpret_cast<const char*>(table_.at());
    while (table_.Byte() != '\0') {
    }
    return start;
  }

  // A line of 0 is the end of a file's entries.
  Dereference Entry() {
    Dereference entry = {table_.Uleb128(), 0, 0, false, {}};
    if (entry.line == 0) return entry;
    entry.offset = table_.Sleb128();
    const uint64_t extent = table_.Uleb128();
    entry.bytes = extent / 2;
    entry.is_store = extent % 2 != 0;
    entry.text = Text();
    return entry;
  }

 private:
  DwarfReader table_;
  const uint8_t* end_;
};

// The line table may have a directory before the path that the compiler was given.
bool IsFile(std::string_view path, const std::string& shown) {
  if (PathForPeople(std::string(path).c_str()) == shown) return true;
  return !path.starts_with('/') && shown.size() > path.size() && shown.ends_with(path) &&
         shown[shown.size() - path.size() - 1] == '/';
}

std::vector<Dereference> DereferencesOf(const StackFrame& frame) {
  std::vector<Dereference> found;
  if (&first_byte == nullptr) return found;
  Reader reader(&first_byte, &end_of_bytes);
  while (!reader.AtEnd()) {
    const std::string_view path = reader.Text();
    if (path.empty()) continue;
    const bool is_here = IsFile(path, frame.file);
    for (Dereference entry = reader.Entry(); entry.line != 0; entry = reader.Entry()) {
      if (is_here && entry.line == static_cast<uint64_t>(frame.line)) found.push_back(entry);
    }
  }
  return found;
}

// Keeps those with the property, if there are any.
template <class Property>
void Prefer(std::vector<Dereference>& from, Property has) {
  if (std::any_of(from.begin(), from.end(), has)) {
    std::erase_if(from, [&](const Dereference& one) { return !has(one); });
  }
}

}  // namespace

void NoteNilAccess(uintptr_t code, uintptr_t address, bool is_store) {
  latest = {code, address, is_store};
}

NilDereference DescribeNil(const void* code, const std::vector<StackFrame>& frames) {
  std::vector<Dereference> candidates;
  size_t frame = 0;
  while (frame < frames.size() && frames[frame].code == frames[0].code) {
    candidates = DereferencesOf(frames[frame]);
    if (!candidates.empty()) break;
    ++frame;
  }
  if (candidates.empty()) return {kNilText, 0};
  if (latest.code == reinterpret_cast<uintptr_t>(code)) {
    const auto offset = static_cast<int64_t>(latest.address);
    Prefer(candidates, [&](const Dereference& one) {
      return one.offset <= offset && offset - one.offset < static_cast<int64_t>(one.bytes);
    });
    Prefer(candidates, [&](const Dereference& one) { return one.is_store == latest.is_store; });
  }
  std::vector<std::string_view> texts;
  for (const Dereference& one : candidates) {
    if (std::find(texts.begin(), texts.end(), one.text) == texts.end()) texts.push_back(one.text);
  }
  std::string words = kNilText;
  for (size_t i = 0; i < texts.size(); ++i) {
    words += i == 0 ? ": " : i + 1 == texts.size() ? " or " : ", ";
    words += texts[i];
  }
  return {words, frame};
}

}  // namespace tenure::runtime
