#include "compiler/driver/fix_command.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/driver/compile.h"
#include "compiler/format/fixes.h"
#include "compiler/format/unified_diff.h"
#include "compiler/source/output_file.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

// A fix may bring up errors with fixes of their own: behind a syntax error, for example.
constexpr int kMostRounds = 40;

std::string Counted(int count, const std::string& what, const char* plural = "s") {
  return std::to_string(count) + " " + what + (count == 1 ? "" : plural);
}

// A path as the user would write it.
std::string NearPath(const std::string& path) {
  const fs::path near = fs::path(path).lexically_proximate(fs::current_path());
  return *near.begin() == ".." ? path : near.string();
}

// The check of one round.
class FixingCheck {
 public:
  explicit FixingCheck(const Options& options) : options_(options) {}

  // Only this file may be changed; empty: all of the package.
  void KeepTo(const std::string& path) { only_ = path; }

  int Run(FixingTexts& texts) {
    messages_.clear();
    seen_.clear();
    // Outlives the messages: sources point into it.
    const SourceTexts present = texts.texts();
    return CheckTexts(options_, present,
                      [&](const Diagnostics& diagnostics, const PackageSource& package) {
                        for (const Diagnostic* diagnostic : diagnostics.Sorted())
                          Add(*diagnostic, package, texts);
                      });
  }

  const std::vector<FoundMessage>& messages() const { return messages_; }
  int Count(bool errors) const {
    return static_cast<int>(std::ranges::count(messages_, errors, &FoundMessage::is_error));
  }

 private:
  void Add(const Diagnostic& diagnostic, const PackageSource& package, FixingTexts& texts) {
    FoundMessage message;
    message.code = GetMessageInfo(diagnostic.id).code;
    message.text = diagnostic.text;
    message.is_error = diagnostic.severity == Severity::kError;
    if (diagnostic.span.valid()) {
      message.path = PathOf(diagnostic.span.file, package);
      message.begin = diagnostic.span.begin;
      message.line = diagnostic.span.file->PhysicalLine(diagnostic.span.begin);
    }
    // Several programs of a package have the same units.
    if (!seen_.emplace(message.path, message.begin, message.code + message.text).second) return;
    for (const DiagnosticFix& fix : diagnostic.fixes) {
      const std::string path = package.WritablePath(fix.span.file);
      if (path.empty() || (!only_.empty() && path != only_)) {
        message.changes.clear();
        break;
      }
      message.changes.push_back({path, fix.span.begin, fix.span.end, fix.replacement});
      if (!texts.Has(path)) texts.Add(path, std::string(fix.span.file->text()));
    }
    messages_.push_back(std::move(message));
  }

  static std::string PathOf(const SourceFile* file, const PackageSource& package) {
    const std::string path = package.WritablePath(file);
    return path.empty() ? std::string(file->path()) : path;
  }

  const Options& options_;
  std::string only_;
  std::vector<FoundMessage> messages_;
  std::set<std::tuple<std::string, uint32_t, std::string>> seen_;
};

// The package around a file that is no program by itself.
std::string PackageAround(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const fs::path name = fs::absolute(folder).lexically_normal().filename();
  const bool is_inner = name == "src" || name == "tests";
  return is_inner ? (folder / "..").lexically_normal().string() : folder.string();
}

}  // namespace

int FixSources(const Options& given) {
  Options options = given;
  std::error_code error;
  const fs::path place = given.directory;
  FixingCheck check(options);
  if (fs::is_regular_file(place, error)) {
    check.KeepTo(fs::canonical(place, error).string());
    if (!PackageSource::ExportsMain(given.directory)) options.directory = PackageAround(place);
  }
  FixingTexts texts;
  int rounds = 0;
  do {
    const int status = check.Run(texts);
    if (status != kExitOk && status != kExitProblems) return status;
    // A build file with errors: these have been printed.
    if (status == kExitProblems && check.messages().empty()) return status;
  } while (++rounds < kMostRounds ? texts.Round(check.messages()) : texts.Judge(check.messages()));

  const SourceTexts present = texts.texts();
  int status = kExitOk;
  const std::vector<std::string> changed = texts.changed();
  for (const std::string& path : changed) {
    if (options.dry_run) {
      std::fputs(UnifiedDiff(NearPath(path), texts.original(path), present.at(path)).c_str(),
                 stdout);
      status = kExitProblems;
    } else if (const Problem problem(
                   StatusCode::kIo,
                   ReplaceFile(NearPath(path), texts.original(path), present.at(path)));
               !problem.text().empty()) {
      status = problem.Print();
    }
  }
  std::fflush(stdout);
  // Prints what is left.
  if (!check.messages().empty()) CheckTexts(options, present, nullptr);
  for (const FixingTexts::Restored& file : texts.restored()) {
    std::fprintf(stderr, "tenure: %s:%s\n", NearPath(file.path).c_str(), file.text.c_str());
  }
  const int errors = check.Count(true), warnings = check.Count(false);
  std::string left = errors == 0 ? "" : Counted(errors, "error");
  if (warnings != 0) left += (left.empty() ? "" : " and ") + Counted(warnings, "warning");
  const std::string fixes =
      Counted(texts.fix_count(), options.dry_run ? "possible fix" : "fix", "es") + " in " +
      Counted(static_cast<int>(changed.size()), "file");
  const char* verb = errors + warnings <= 1 ? "is" : "are";
  std::fprintf(stderr, "tenure: %s; %s %s left\n", fixes.c_str(),
               left.empty() ? "nothing" : left.c_str(), verb);
  return std::max(status, errors > 0 ? static_cast<int>(kExitProblems) : static_cast<int>(kExitOk));
}

}  // namespace tenure::compiler
