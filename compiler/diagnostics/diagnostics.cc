#include "compiler/diagnostics/diagnostics.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/check.h"

namespace tenure::compiler {
namespace {

constexpr MessageInfo kMessages[] = {
#define TN_MESSAGE(id, code, severity, format, rule) {#id, code, Severity::severity, format, rule},
#include "compiler/diagnostics/messages.def"
#undef TN_MESSAGE
};

// Longest source line that is shown whole; of a longer line only the part around the span is shown.
constexpr uint32_t kShownBytes = 160;

const char* SeverityWord(Severity severity) {
  switch (severity) {
    case Severity::kError: return "error";
    case Severity::kWarning: return "warning";
    case Severity::kNote: return "note";
  }
  TN_UNREACHABLE();
}

bool IsUtf8Continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The source line of the span, and below it `^~~~`. Bytes that a terminal would act upon are shown
// as '?'.
void AppendSnippet(std::string& out, SourceSpan span) {
  const SourceFile& file = *span.file;
  const uint32_t line = file.PhysicalLine(span.begin);
  const std::string_view text = file.LineText(line);
  const uint32_t start = file.LineStart(line);
  const uint32_t length = static_cast<uint32_t>(text.size());
  const uint32_t column = std::min(span.begin - start, length);
  const uint32_t first =
      length > kShownBytes && column > kShownBytes / 2 ? column - kShownBytes / 2 : 0;
  const uint32_t last = std::min(length, first + kShownBytes);
  const uint32_t marked_end = std::clamp(span.end - start, column, last);

  std::string shown, marks;
  if (first > 0) {
    shown += "...";
    marks += "   ";
  }
  for (uint32_t i = first; i < last; ++i) {
    const char c = text[i];
    const bool is_control = (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
    shown += is_control ? '?' : c;
    // A character of several bytes takes one column on a UTF-8 terminal.
    if (i > first && IsUtf8Continuation(c)) continue;
    if (i < column) {
      marks += c == '\t' ? '\t' : ' ';
    } else if (i == column) {
      marks += '^';
    } else if (i < marked_end) {
      marks += '~';
    }
  }
  if (column >= last) marks += '^';
  if (last < length) shown += "...";
  out += "  " + shown + "\n  " + marks + "\n";
}

std::string Location(SourceSpan span) {
  if (!span.valid()) return "tenure: ";
  const SourcePosition start = span.start();
  return std::string(start.path()) + ":" + std::to_string(start.line()) + ":" +
         std::to_string(start.column()) + ": ";
}

// The text with its line ends, which would break the message's line, as \n.
std::string InOneLine(std::string_view text) {
  std::string line;
  for (const char c : text) line += c == '\n' ? std::string("\\n") : std::string(1, c);
  return line;
}

std::string FixText(const DiagnosticFix& fix) {
  const std::string old_text = InOneLine(fix.span.text());
  const std::string new_text = InOneLine(fix.replacement);
  if (new_text.empty()) return "remove \"" + old_text + "\"";
  if (old_text.empty()) return "insert \"" + new_text + "\"";
  return "replace \"" + old_text + "\" by \"" + new_text + "\"";
}

const char* ColorOf(Severity severity) {
  switch (severity) {
    case Severity::kError: return "\033[1;31m";    // red
    case Severity::kWarning: return "\033[1;35m";  // magenta
    case Severity::kNote: return "\033[1;36m";     // cyan
  }
  TN_UNREACHABLE();
}

std::string Colored(bool colored, const char* color, const std::string& text) {
  return colored ? color + text + "\033[0m" : text;
}

constexpr const char* kBold = "\033[1m";
constexpr const char* kGreen = "\033[1;32m";

bool IsColorTerminal(std::FILE* stream) {
  const char* terminal = std::getenv("TERM");
  return isatty(fileno(stream)) != 0 && std::getenv("NO_COLOR") == nullptr && terminal != nullptr &&
         std::strcmp(terminal, "dumb") != 0;
}

void AppendText(std::string& out, const Diagnostic& diagnostic, bool colored) {
  out += Colored(colored, kBold, Location(diagnostic.span)) +
         Colored(colored, ColorOf(diagnostic.severity),
                 SeverityWord(diagnostic.severity) + std::string("[") +
                     GetMessageInfo(diagnostic.id).code + "]:") +
         " " + diagnostic.text;
  if (!diagnostic.rule.empty()) out += " (" + diagnostic.rule + ")";
  out += "\n";
  if (diagnostic.span.valid()) AppendSnippet(out, diagnostic.span);
  for (const DiagnosticNote& note : diagnostic.notes) {
    out += Colored(colored, kBold, Location(note.span)) +
           Colored(colored, ColorOf(Severity::kNote), "note:") + " " + note.text + "\n";
    if (note.span.valid()) AppendSnippet(out, note.span);
  }
  // A name that is wrong in many places is one line.
  std::vector<std::pair<const DiagnosticFix*, int>> fixes;
  for (const DiagnosticFix& fix : diagnostic.fixes) {
    const auto same = std::ranges::find_if(fixes, [&](const auto& other) {
      return !fix.span.text().empty() && FixText(*other.first) == FixText(fix);
    });
    if (same == fixes.end()) {
      fixes.emplace_back(&fix, 1);
    } else {
      ++same->second;
    }
  }
  for (const auto& [fix, count] : fixes) {
    out += Colored(colored, kBold, Location(fix->span)) + Colored(colored, kGreen, "fix:") + " " +
           FixText(*fix);
    if (count > 1) {
      out += ", here and in " + std::to_string(count - 1) +
             (count == 2 ? " more place" : " more places");
    }
    out += "\n";
  }
}

// Source text is Latin-1, JSON is UTF-8.
std::string Utf8(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xC0 | (byte >> 6));
      out += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return out;
}

// Members in the order of the calls.
using Json = nlohmann::ordered_json;

// The members that give the place; none if the message has no place.
Json JsonOf(SourceSpan span) {
  if (!span.valid()) return Json::object();
  const SourcePosition start = span.start(), finish = span.finish();
  return {{"file", start.path()},
          {"line", start.line()},
          {"column", start.column()},
          {"end_line", finish.line()},
          {"end_column", finish.column()}};
}

Json JsonOf(const Diagnostic& diagnostic) {
  Json json = JsonOf(diagnostic.span);
  json["severity"] = SeverityWord(diagnostic.severity);
  json["code"] = GetMessageInfo(diagnostic.id).code;
  json["message"] = Utf8(diagnostic.text);
  json["rule"] = Utf8(diagnostic.rule);
  json["notes"] = Json::array();
  for (const DiagnosticNote& note : diagnostic.notes) {
    Json& added = json["notes"].emplace_back(JsonOf(note.span));
    added["message"] = Utf8(note.text);
  }
  json["fixes"] = Json::array();
  for (const DiagnosticFix& fix : diagnostic.fixes) {
    Json& added = json["fixes"].emplace_back(JsonOf(fix.span));
    added["replacement"] = Utf8(fix.replacement);
  }
  return json;
}

// Names, literals and written types may have any length; only this many characters of one are
// shown.
constexpr size_t kMaxArgumentBytes = 500;

}  // namespace

const MessageInfo& GetMessageInfo(MessageId id) {
  TN_CHECK(static_cast<int>(id) < MessageCount());
  return kMessages[static_cast<int>(id)];
}

int MessageCount() { return static_cast<int>(std::size(kMessages)); }

std::string FormatMessage(std::string_view format, const std::vector<std::string>& args) {
  std::string result;
  for (size_t i = 0; i < format.size(); ++i) {
    const bool is_argument = format[i] == '{' && i + 2 < format.size() && format[i + 2] == '}' &&
                             format[i + 1] >= '0' && format[i + 1] <= '9';
    const size_t number = is_argument ? static_cast<size_t>(format[i + 1] - '0') : 0;
    if (is_argument && number < args.size()) {
      const std::string& argument = args[number];
      result += argument.substr(0, kMaxArgumentBytes);
      if (argument.size() > kMaxArgumentBytes) result += "...";
      i += 2;
    } else {
      result += format[i];
    }
  }
  return result;
}

DiagnosticBuilder& DiagnosticBuilder::Hint(std::string_view text) {
  if (diagnostic_ != nullptr && !text.empty()) diagnostic_->text += "; " + std::string(text);
  return *this;
}

DiagnosticBuilder& DiagnosticBuilder::Fix(SourceSpan span, std::string_view replacement) {
  if (diagnostic_ == nullptr) return *this;
  // A tree that is checked again asks for the same fix.
  const bool is_known = std::ranges::any_of(diagnostic_->fixes, [&](const DiagnosticFix& fix) {
    return fix.span == span && fix.replacement == replacement;
  });
  if (!is_known) diagnostic_->fixes.push_back({span, std::string(replacement)});
  return *this;
}

void DiagnosticBuilder::AddNote(MessageId id, SourceSpan span,
                                const std::vector<std::string>& args) {
  const MessageInfo& info = GetMessageInfo(id);
  TN_CHECK(info.severity == Severity::kNote);
  if (diagnostic_ == nullptr) return;
  diagnostic_->notes.push_back({FormatMessage(info.format, args), span});
}

void DiagnosticBuilder::AddHint(MessageId id, const std::vector<std::string>& args) {
  const MessageInfo& info = GetMessageInfo(id);
  TN_CHECK(info.severity == Severity::kNote);
  if (diagnostic_ != nullptr) diagnostic_->text += "; " + FormatMessage(info.format, args);
}

DiagnosticBuilder Diagnostics::Report(MessageId id, Severity severity, SourceSpan span,
                                      const std::vector<std::string>& args) {
  const MessageInfo& info = GetMessageInfo(id);
  TN_CHECK(info.severity == severity);
  std::string text = FormatMessage(info.format, args);
  // The source is read again for each generic instance and gives the same messages each time.
  if (!seen_.emplace(span.file, span.begin, span.end, text).second) {
    return DiagnosticBuilder(nullptr);
  }
  if (severity == Severity::kError && ++error_count_ > max_errors_) {
    return DiagnosticBuilder(nullptr);
  }
  diagnostics_.push_back(std::make_unique<Diagnostic>(
      Diagnostic{id, severity, span, std::move(text), FormatMessage(info.rule, args), {}, {}}));
  return DiagnosticBuilder(diagnostics_.back().get());
}

void Diagnostics::SuppressWarnings(const SourceFile& file, uint32_t physical_line) {
  suppressed_lines_.emplace(&file, physical_line);
}

bool Diagnostics::IsSuppressed(const Diagnostic& diagnostic) const {
  if (diagnostic.severity != Severity::kWarning) return false;
  if (no_warnings_ || disabled_codes_.contains(GetMessageInfo(diagnostic.id).code)) return true;
  if (!diagnostic.span.valid()) return false;
  const SourceFile* file = diagnostic.span.file;
  return suppressed_lines_.contains({file, file->PhysicalLine(diagnostic.span.begin)});
}

int Diagnostics::warning_count() const {
  return static_cast<int>(std::count_if(
      diagnostics_.begin(), diagnostics_.end(), [this](const std::unique_ptr<Diagnostic>& d) {
        return d->severity == Severity::kWarning && !IsSuppressed(*d);
      }));
}

bool Diagnostics::has_errors() const {
  return error_count_ > 0 || (warnings_are_errors_ && warning_count() > 0);
}

std::vector<const Diagnostic*> Diagnostics::Sorted() const {
  std::vector<const Diagnostic*> sorted;
  for (const std::unique_ptr<Diagnostic>& diagnostic : diagnostics_) {
    if (!IsSuppressed(*diagnostic)) sorted.push_back(diagnostic.get());
  }
  // Messages without a place come first. Sorted by path, not by address, so that the output is the
  // same in every run.
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic* a, const Diagnostic* b) {
    const auto key = [](const Diagnostic* d) {
      return std::tuple(d->span.valid(), d->span.valid() ? d->span.file->path() : "",
                        d->span.begin);
    };
    return key(a) < key(b);
  });
  return sorted;
}

std::string Diagnostics::Render(DiagnosticFormat format, bool colored) const {
  std::string out;
  for (const Diagnostic* diagnostic : Sorted()) {
    if (format == DiagnosticFormat::kJson) {
      out += JsonOf(*diagnostic).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    } else {
      AppendText(out, *diagnostic, colored);
    }
  }
  const int hidden = error_count_ - max_errors_;
  if (hidden > 0 && format == DiagnosticFormat::kText) {
    out += "tenure: " + std::to_string(hidden) +
           (hidden == 1 ? " more error is" : " more errors are") + " not shown\n";
  }
  return out;
}

void Diagnostics::Print(std::FILE* stream, DiagnosticFormat format) const {
  const std::string text =
      Render(format, color_ == DiagnosticColor::kAlways ||
                         (color_ == DiagnosticColor::kAuto && IsColorTerminal(stream)));
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

}  // namespace tenure::compiler
