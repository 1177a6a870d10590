// Collects, sorts and prints the compiler's messages about the source. The texts are in
// messages.def.

#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "compiler/source/interner.h"
#include "compiler/source/source_file.h"

namespace tenure::compiler {

enum class Severity : uint8_t { kError, kWarning, kNote };

// One enumerator per line of messages.def.
enum class MessageId : uint16_t {
#define TN_MESSAGE(id, code, severity, format, rule) id,
#include "compiler/diagnostics/messages.def"
#undef TN_MESSAGE
};

struct MessageInfo {
  const char* name;  // The enumerator, e.g. "kUnclosedComment".
  const char* code;  // E.g. "M0101".
  Severity severity;
  const char* format;  // {0}, {1}, ... stand for the arguments.
  const char* rule;    // Section of the language definition, e.g. "14.13"; may be empty.
};

const MessageInfo& GetMessageInfo(MessageId id);
int MessageCount();

enum class DiagnosticFormat : uint8_t { kText, kJson };
// When text has colours. kAuto: on a terminal, unless NO_COLOR is set or TERM is dumb.
enum class DiagnosticColor : uint8_t { kAuto, kAlways, kNever };

// A note: another place that explains the message.
struct DiagnosticNote {
  std::string text;
  SourceSpan span;
};

// A change of the source: replace `span` by `replacement` (an empty span inserts). All fixes of a
// message together correct it.
struct DiagnosticFix {
  SourceSpan span;
  std::string replacement;
};

struct Diagnostic {
  MessageId id;
  Severity severity;
  SourceSpan span;   // Invalid: concerns the whole command.
  std::string text;  // Formatted, without the rule.
  std::string rule;
  std::vector<DiagnosticNote> notes;
  std::vector<DiagnosticFix> fixes;
};

// Adds details to the message just reported:
//   diagnostics.Error(MessageId::kIllegalCharacter, span, text).Note(MessageId::kUnclosedComment,
//   first.span);
// Valid as long as the Diagnostics. A copy adds to the same message.
class DiagnosticBuilder {
 public:
  DiagnosticBuilder() = default;  // of no message

  template <typename... Args>
  DiagnosticBuilder& Note(MessageId id, SourceSpan span, const Args&... args);
  // Appends to the message's text what to do, after a semicolon.
  DiagnosticBuilder& Hint(std::string_view text);
  // All fixes of a message together correct the source.
  DiagnosticBuilder& Fix(SourceSpan span, std::string_view replacement);
  // Appends to the message's text what to do, after a semicolon. `id` is a note's.
  template <typename... Args>
  DiagnosticBuilder& Hint(MessageId id, const Args&... args);

  // For a message that is not reported: takes all details and drops them.
  static DiagnosticBuilder Dropped() { return DiagnosticBuilder(nullptr); }

 private:
  friend class Diagnostics;
  explicit DiagnosticBuilder(Diagnostic* diagnostic) : diagnostic_(diagnostic) {}
  void AddNote(MessageId id, SourceSpan span, const std::vector<std::string>& args);
  void AddHint(MessageId id, const std::vector<std::string>& args);

  Diagnostic* diagnostic_ = nullptr;  // Null if the message was a repetition.
};

// All messages of one run of the compiler. Spans must stay valid until the messages are printed.
// One thread.
class Diagnostics {
 public:
  Diagnostics() = default;
  Diagnostics(const Diagnostics&) = delete;
  Diagnostics& operator=(const Diagnostics&) = delete;

  // Reports a message. Arguments are texts, Names, or integers. A message with the same text and
  // place as an earlier one is dropped. The message's severity in messages.def must be the
  // function's.
  template <typename... Args>
  DiagnosticBuilder Error(MessageId id, SourceSpan span, const Args&... args);
  template <typename... Args>
  DiagnosticBuilder Warning(MessageId id, SourceSpan span, const Args&... args);

  // The greatest number of errors that are kept; later errors are only counted. Default 1000.
  void set_max_errors(int max_errors) { max_errors_ = max_errors; }
  // Counts warnings as errors in has_errors.
  void set_warnings_are_errors(bool on) { warnings_are_errors_ = on; }
  // Drops all warnings, now and later.
  void set_no_warnings(bool on) { no_warnings_ = on; }
  // Drops the warnings with this code, now and later.
  void DisableWarning(std::string_view code) { disabled_codes_.emplace(code); }
  void set_color(DiagnosticColor color) { color_ = color; }
  // <*NOWARN*>: no warnings that begin in this physical line of the file.
  void SuppressWarnings(const SourceFile& file, uint32_t physical_line);

  bool has_errors() const;
  int error_count() const { return error_count_; }
  int warning_count() const;

  // Sorted by file and position, suppressed warnings left out.
  std::vector<const Diagnostic*> Sorted() const;

  // All messages as they are printed. kText: `FILE:LINE:COL: error[M0123]: text (rule)`, the source
  // line, and a line with `^~~~` under the span, then notes and fixes. kJson: one object per line.
  std::string Render(DiagnosticFormat format, bool colored = false) const;
  void Print(std::FILE* stream, DiagnosticFormat format) const;

 private:
  friend class DiagnosticBuilder;

  DiagnosticBuilder Report(MessageId id, Severity severity, SourceSpan span,
                           const std::vector<std::string>& args);
  bool IsSuppressed(const Diagnostic& diagnostic) const;

  static std::string ToText(std::string_view text) { return std::string(text); }
  static std::string ToText(Name name) { return name.str(); }
  template <typename T>
    requires std::is_integral_v<T>
  static std::string ToText(T value) {
    return std::to_string(value);
  }

  std::vector<std::unique_ptr<Diagnostic>> diagnostics_;
  std::set<std::tuple<const SourceFile*, uint32_t, uint32_t, std::string>> seen_;
  std::set<std::pair<const SourceFile*, uint32_t>> suppressed_lines_;
  int max_errors_ = 1000;
  int error_count_ = 0;  // Including the errors that were not kept.
  bool warnings_are_errors_ = false;
  bool no_warnings_ = false;
  std::set<std::string, std::less<>> disabled_codes_;
  DiagnosticColor color_ = DiagnosticColor::kAuto;
};

// The format with {0}, {1}, ... replaced. A missing argument leaves its braces.
std::string FormatMessage(std::string_view format, const std::vector<std::string>& args);

template <typename... Args>
DiagnosticBuilder& DiagnosticBuilder::Note(MessageId id, SourceSpan span, const Args&... args) {
  AddNote(id, span, {Diagnostics::ToText(args)...});
  return *this;
}

template <typename... Args>
DiagnosticBuilder& DiagnosticBuilder::Hint(MessageId id, const Args&... args) {
  AddHint(id, {Diagnostics::ToText(args)...});
  return *this;
}

template <typename... Args>
DiagnosticBuilder Diagnostics::Error(MessageId id, SourceSpan span, const Args&... args) {
  return Report(id, Severity::kError, span, {ToText(args)...});
}

template <typename... Args>
DiagnosticBuilder Diagnostics::Warning(MessageId id, SourceSpan span, const Args&... args) {
  return Report(id, Severity::kWarning, span, {ToText(args)...});
}

}  // namespace tenure::compiler
