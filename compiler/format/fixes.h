// Applies the fixes of messages to the texts of files, round after round: `tenure fix`.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tenure::compiler {

// Replaces the bytes [begin, end) of a file.
struct TextChange {
  std::string path;
  uint32_t begin = 0, end = 0;
  std::string replacement;
};

// A message of a check. The paths are keys: equal for equal files.
struct FoundMessage {
  std::string path;       // empty: of no file
  uint32_t begin = 0;     // where in the file
  uint32_t line = 0;      // the same, for people
  std::string code;       // "M0304"
  std::string text;       // what it says
  bool is_error = false;  // otherwise a warning
  // All together correct the source. Empty: the message has no fix, or not one that may be applied.
  std::vector<TextChange> changes;
};

// The texts while they are fixed. Each round takes what a check of the present texts found, and
// first judges the round before: a file whose fix did not remove its message, or got the first
// errors of the program by it, is restored, and that fix is not tried again.
class FixingTexts {
 public:
  // Sets the text of a file, before a round applies a change of the file.
  void Add(const std::string& path, std::string text);
  bool Has(const std::string& path) const { return files_.contains(path); }

  // Applies the fixes that do not overlap, in the order of the messages; a message's fix as a whole
  // or not at all. False: no text changed, so the messages are what is left.
  bool Round(const std::vector<FoundMessage>& messages);
  // Judges the last round without applying more. False: no text was restored.
  bool Judge(const std::vector<FoundMessage>& messages);

  // The present texts, by path, of all files that were added.
  std::map<std::string, std::string> texts() const;
  // The files whose text differs from what was added.
  std::vector<std::string> changed() const;
  const std::string& original(const std::string& path) const { return files_.at(path).original; }
  // How many messages were corrected.
  int fix_count() const { return fix_count_ + static_cast<int>(applied_.size()); }
  // A fix that did not help; `text` begins with the line of its message.
  struct Restored {
    std::string path, text;
  };
  const std::vector<Restored>& restored() const { return restored_; }

 private:
  struct FileText {
    std::string original, present;
    std::string before;  // the round that was applied last
  };
  bool WasRemoved(const FoundMessage& message, const std::vector<FoundMessage>& now) const;
  void Undo(const FoundMessage& failed, const std::string& why);

  std::map<std::string, FileText> files_;
  std::vector<FoundMessage> applied_;                       // in the last round
  bool had_errors_ = true;                                  // before that round
  std::set<std::pair<std::string, std::string>> given_up_;  // path; code and text
  std::vector<Restored> restored_;
  int fix_count_ = 0;  // of the rounds before the last one
};

}  // namespace tenure::compiler
