#include "compiler/format/fixes.h"

#include <algorithm>
#include <tuple>

namespace tenure::compiler {

namespace {

std::pair<std::string, std::string> KeyOf(const FoundMessage& message) {
  return {message.path, message.code + " " + message.text};
}

// Two insertions at one place overlap, too: their order would be a guess.
bool Overlap(const TextChange& a, const TextChange& b) {
  if (a.path != b.path) return false;
  return a.begin == b.begin || (a.begin < b.end && b.begin < a.end);
}

bool Touches(const FoundMessage& message, const std::set<std::string>& paths) {
  return std::ranges::any_of(message.changes,
                             [&](const TextChange& c) { return paths.contains(c.path); });
}

bool AnyErrors(const std::vector<FoundMessage>& messages) {
  return std::ranges::any_of(messages, &FoundMessage::is_error);
}

}  // namespace

void FixingTexts::Add(const std::string& path, std::string text) {
  files_[path] = {text, text, text};
}

// The message's place moved by the changes before it; by those at the place itself, perhaps.
bool FixingTexts::WasRemoved(const FoundMessage& message,
                             const std::vector<FoundMessage>& now) const {
  long first = message.begin, last = message.begin;
  for (const FoundMessage& other : applied_) {
    for (const TextChange& change : other.changes) {
      if (change.path != message.path || change.begin > message.begin) continue;
      const long grown = static_cast<long>(change.replacement.size()) -
                         static_cast<long>(change.end - change.begin);
      if (change.end <= message.begin && change.begin < message.begin) {
        first += grown;
        last += grown;
      } else {
        first = std::min(first, first + grown);
        last = std::max(last, last + grown);
      }
    }
  }
  return std::ranges::none_of(now, [&](const FoundMessage& other) {
    return KeyOf(other) == KeyOf(message) && static_cast<long>(other.begin) >= first &&
           static_cast<long>(other.begin) <= last;
  });
}

// Restores the files that the message's fix changed, and those that fixes of these changed.
void FixingTexts::Undo(const FoundMessage& failed, const std::string& why) {
  given_up_.insert(KeyOf(failed));
  std::set<std::string> paths;
  for (const TextChange& change : failed.changes) paths.insert(change.path);
  for (size_t size = 0; size != paths.size();) {
    size = paths.size();
    for (const FoundMessage& message : applied_) {
      if (!Touches(message, paths)) continue;
      for (const TextChange& change : message.changes) paths.insert(change.path);
    }
  }
  std::erase_if(applied_, [&](const FoundMessage& message) { return Touches(message, paths); });
  for (const std::string& path : paths) files_[path].present = files_[path].before;
  restored_.push_back({failed.path, std::to_string(failed.line) + ": the fix of " + failed.code +
                                        " " + why + "; the file is as it was before that fix"});
}

bool FixingTexts::Judge(const std::vector<FoundMessage>& messages) {
  const size_t restored_before = restored_.size();
  const std::vector<FoundMessage> applied = applied_;
  std::set<std::string> with_errors;
  for (const FoundMessage& message : messages) {
    if (message.is_error) with_errors.insert(message.path);
  }
  for (const FoundMessage& message : applied) {
    const bool is_undone = std::ranges::none_of(applied_, [&](const FoundMessage& other) {
      return KeyOf(other) == KeyOf(message) && other.begin == message.begin;
    });
    if (is_undone) continue;
    if (!WasRemoved(message, messages)) {
      Undo(message, "does not remove its message");
    } else if (!had_errors_ && Touches(message, with_errors)) {
      Undo(message, "causes errors");
    }
  }
  return restored_.size() != restored_before;
}

bool FixingTexts::Round(const std::vector<FoundMessage>& messages) {
  // After a restoration the messages are about other texts.
  const bool is_restored = Judge(messages);
  fix_count_ += static_cast<int>(applied_.size());
  applied_.clear();
  if (is_restored) return true;
  had_errors_ = AnyErrors(messages);
  std::vector<TextChange> changes;
  for (const FoundMessage& message : messages) {
    if (message.changes.empty() || given_up_.contains(KeyOf(message))) continue;
    const bool overlaps = std::ranges::any_of(message.changes, [&](const TextChange& change) {
      return std::ranges::any_of(changes, [&](const TextChange& o) { return Overlap(change, o); });
    });
    if (overlaps) continue;
    applied_.push_back(message);
    changes.insert(changes.end(), message.changes.begin(), message.changes.end());
  }
  if (changes.empty()) return false;
  for (auto& [path, file] : files_) file.before = file.present;
  // From the end, so that the places of those before stay what they are; stable, so that several
  // insertions of one message at one place keep their order.
  std::ranges::stable_sort(changes, [](const TextChange& a, const TextChange& b) {
    return std::tie(a.path, a.begin, a.end) < std::tie(b.path, b.begin, b.end);
  });
  for (size_t i = changes.size(); i-- > 0;) {
    const TextChange& change = changes[i];
    files_[change.path].present.replace(change.begin, change.end - change.begin,
                                        change.replacement);
  }
  return true;
}

std::map<std::string, std::string> FixingTexts::texts() const {
  std::map<std::string, std::string> texts;
  for (const auto& [path, file] : files_) texts[path] = file.present;
  return texts;
}

std::vector<std::string> FixingTexts::changed() const {
  std::vector<std::string> paths;
  for (const auto& [path, file] : files_) {
    if (file.present != file.original) paths.push_back(path);
  }
  return paths;
}

}  // namespace tenure::compiler
