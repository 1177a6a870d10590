#include "compiler/diagnostics/diagnostics.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "base/check.h"

namespace tenure::compiler {
namespace {

constexpr MessageInfo kMessages[] = {
#define TN_MESSAGE(id, code, severity, format, rule) {#id, code, Severity::severity, format, rule},
#include "compiler/diagnostics/messages.def"
#undef TN_MESSAGE
};

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

}  // namespace tenure::compiler
