#include "compiler/diagnostics/print.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/shown_text.h"
#include "base/terminal_text.h"
#include "base/utf8.h"

namespace tenure::compiler {

namespace {

// Longest source line that is shown whole; of a longer line only the part around the span is shown.
// This and the following are counted in cells of a terminal.
constexpr size_t kShownCells = 160;
constexpr size_t kTabCells = 8;
// A narrow terminal shows no fewer, and breaks the line instead.
constexpr size_t kFewestCells = 20;
constexpr size_t kIndent = 2;
constexpr std::string_view kEllipsis = "...";

const char* SeverityWord(Severity severity) {
  switch (severity) {
    case Severity::kError: return "error";
    case Severity::kWarning: return "warning";
    case Severity::kNote: return "note";
  }
  TN_UNREACHABLE();
}

// How much of a line is shown. `columns`: of the terminal; 0: there is none.
size_t ShownCells(size_t columns) {
  if (columns == 0) return kShownCells;
  const size_t beside = kIndent + 2 * kEllipsis.size();
  return std::min(kShownCells, columns > kFewestCells + beside ? columns - beside : kFewestCells);
}

// The bytes of a line that are shown: at most `most` cells, and the byte at `column` among them.
std::pair<uint32_t, uint32_t> PartAround(std::string_view text, uint32_t column, size_t most) {
  const auto take = [&](size_t* at) {
    if (text[*at] != '\t') return TakeCells(text, at);
    ++*at;
    return kTabCells;
  };
  // The characters before the column, and the cells before each.
  std::vector<std::pair<uint32_t, size_t>> before;
  size_t cells = 0, at = 0;
  while (at < column) {
    before.emplace_back(static_cast<uint32_t>(at), cells);
    cells += take(&at);
  }
  size_t after = cells;
  for (size_t rest = at; rest < text.size() && after <= most;) after += take(&rest);
  size_t first = 0, left_out = 0;
  if (after > most && cells > most / 2) {
    // Puts the column in the middle, as far as there are characters.
    const auto begin = std::ranges::lower_bound(before, cells - most / 2, {},
                                                &std::pair<uint32_t, size_t>::second);
    first = begin == before.end() ? at : begin->first;
    left_out = begin == before.end() ? cells : begin->second;
  }
  size_t last = at;
  for (size_t shown = cells - left_out; last < text.size();) {
    size_t next = last;
    shown += take(&next);
    if (shown > most) break;
    last = next;
  }
  return {static_cast<uint32_t>(first), static_cast<uint32_t>(last)};
}

// The source line of the span, and below it `^~~~`. Characters that a terminal would act upon are
// shown as '?'.
void AppendSnippet(std::string& out, SourceSpan span, size_t columns) {
  const SourceFile& file = *span.file;
  const uint32_t line = file.PhysicalLine(span.begin);
  const std::string_view text = file.LineText(line);
  const uint32_t start = file.LineStart(line);
  const uint32_t column = std::min(span.begin - start, static_cast<uint32_t>(text.size()));
  const auto [first, last] = PartAround(text, column, ShownCells(columns));
  const uint32_t marked_end = std::clamp(span.end - start, column, std::max(column, last));

  std::string shown, marks;
  if (first > 0) {
    shown += kEllipsis;
    marks.append(kEllipsis.size(), ' ');
  }
  for (size_t at = first; at < last;) {
    const size_t begin = at;
    const char c = text[at];
    std::optional<uint32_t> code = TakeUtf8(text, &at);
    if (!code) code = static_cast<unsigned char>(text[at++]);
    const bool is_control = IsControl(*code) && c != '\t';
    const size_t cells = is_control ? 1 : CellsOf(text.substr(begin, at - begin));
    shown += is_control ? "?" : text.substr(begin, at - begin);
    if (at <= column) {
      marks.append(cells, c == '\t' ? '\t' : ' ');
    } else if (begin <= column) {
      marks += '^';
      if (cells > 1 && marked_end > column) marks.append(cells - 1, '~');
    } else if (begin < marked_end) {
      marks.append(cells, '~');
    }
  }
  if (column >= last) marks += '^';
  if (last < text.size()) shown += kEllipsis;
  const std::string indent(kIndent, ' ');
  out += indent + shown + "\n" + indent + marks + "\n";
}

std::string Location(SourceSpan span) {
  if (!span.valid()) return "tenure: ";
  const SourcePosition start = span.start();
  return ShownText(start.path()) + ":" + std::to_string(start.line()) + ":" +
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

void AppendText(std::string& out, const Diagnostic& diagnostic, bool colored, size_t columns) {
  out += Colored(colored, kBold, Location(diagnostic.span)) +
         Colored(colored, ColorOf(diagnostic.severity),
                 SeverityWord(diagnostic.severity) + std::string("[") +
                     GetMessageInfo(diagnostic.id).code + "]:") +
         " " + ShownText(diagnostic.text);
  if (!diagnostic.rule.empty()) out += " (" + diagnostic.rule + ")";
  out += "\n";
  if (diagnostic.span.valid()) AppendSnippet(out, diagnostic.span, columns);
  for (const DiagnosticNote& note : diagnostic.notes) {
    out += Colored(colored, kBold, Location(note.span)) +
           Colored(colored, ColorOf(Severity::kNote), "note:") + " " + ShownText(note.text) + "\n";
    if (note.span.valid()) AppendSnippet(out, note.span, columns);
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
           ShownText(FixText(*fix));
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

}  // namespace

std::string Diagnostics::Render(DiagnosticFormat format, bool colored) const {
  return RenderDiagnostics(*this, {.format = format}, colored, 0);
}

void Diagnostics::Print(std::FILE* stream, DiagnosticFormat format) const {
  PrintDiagnostics(stream, *this, {.format = format, .color = color_});
}

std::string RenderDiagnostics(const Diagnostics& diagnostics, const PrintForm& form, bool colored,
                              size_t columns) {
  std::string out;
  int errors = 0, warnings = 0;
  for (const Diagnostic* diagnostic : diagnostics.Sorted()) {
    if (diagnostic->severity == Severity::kError) ++errors;
    if (diagnostic->severity == Severity::kWarning && ++warnings > form.max_warnings) continue;
    if (form.format == DiagnosticFormat::kJson) {
      out += JsonOf(*diagnostic).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    } else {
      AppendText(out, *diagnostic, colored, columns);
    }
  }
  if (form.format == DiagnosticFormat::kJson) return out;
  const auto tell = [&](int hidden, const std::string& what, const char* option) {
    if (hidden <= 0) return;
    out += "tenure: " + std::to_string(hidden) + " more " + what + (hidden == 1 ? " is" : "s are") +
           " not shown; " + option + " N shows N\n";
  };
  tell(diagnostics.error_count() - errors, "error", "--max-errors");
  tell(warnings - form.max_warnings, "warning", "--max-warnings");
  return out;
}

void PrintDiagnostics(std::FILE* stream, const Diagnostics& diagnostics, const PrintForm& form) {
  const bool colored = form.color == DiagnosticColor::kAlways ||
                       (form.color == DiagnosticColor::kAuto && IsColorTerminal(stream));
  const std::string text =
      RenderDiagnostics(diagnostics, form, colored, TerminalColumns(fileno(stream)));
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

}  // namespace tenure::compiler
