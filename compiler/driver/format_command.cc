#include "compiler/driver/format_command.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "compiler/diagnostics/print.h"
#include "compiler/format/format.h"
#include "compiler/format/unified_diff.h"
#include "compiler/package/package.h"
#include "compiler/source/output_file.h"
#include "compiler/source/source_file.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

constexpr const char* kStandardInput = "-";

// The sources in a directory and in those below it, but for directories whose names begin with a
// point.
Problem AddSourcesBelow(const std::string& directory, std::vector<std::string>* files) {
  std::error_code error;
  fs::recursive_directory_iterator it(directory, error);
  for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
    std::error_code ignored;
    const std::string name = it->path().filename().string();
    if (it->is_directory(ignored)) {
      if (name.starts_with('.')) it.disable_recursion_pending();
    } else if (IsSourceName(name) && it->is_regular_file(ignored)) {
      files->push_back(it->path().lexically_normal().string());
    }
  }
  if (error) return Problem::OfSystem("cannot read the directory '" + directory + "'", error);
  return {};
}

OrProblem<std::vector<std::string>> FindFiles(const FormatOptions& options) {
  std::vector<std::string> files;
  const std::vector<std::string> here = {"."};
  for (const std::string& place : options.places.empty() ? here : options.places) {
    std::error_code error;
    const fs::file_status status = fs::status(place, error);
    if (place == kStandardInput || fs::is_regular_file(status)) {
      files.push_back(place);
    } else if (fs::is_directory(status)) {
      TN_RETURN_IF_PROBLEM(AddSourcesBelow(place, &files));
    } else {
      return Problem(StatusCode::kNotFound, "there is no file or directory '" + place + "'");
    }
  }
  std::ranges::sort(files);
  files.erase(std::unique(files.begin(), files.end()), files.end());
  if (options.first_line != 0 && files.size() != 1) {
    return Problem("--range is about the lines of one file");
  }
  return files;
}

Problem ReadStandardInput(std::string* text) {
  char buffer[1 << 16];
  while (const size_t count = std::fread(buffer, 1, sizeof buffer, stdin)) {
    text->append(buffer, count);
  }
  if (std::ferror(stdin) == 0) return {};
  return Problem(StatusCode::kIo, "cannot read standard input");
}

class FormatRun {
 public:
  explicit FormatRun(const FormatOptions& options) : options_(options) {}

  void Format(const std::string& path) {
    std::string before;
    if (path == kStandardInput) {
      if (const Problem problem = ReadStandardInput(&before); !problem.ok()) return Fail(problem);
    } else if (const int error = ReadWholeFile(path, before); error != 0) {
      return Fail(Problem::OfSystem("cannot read '" + path + "'", error));
    }
    const SourceFile source(path, before);
    Diagnostics diagnostics;
    diagnostics.set_no_warnings(true);
    const FormattedSource formatted = FormatSource(source, diagnostics);
    if (formatted.kept == FormattedSource::Kept::kErrors) {
      PrintDiagnostics(stderr, diagnostics, {});
      status_ = std::max(status_, static_cast<int>(kExitProblems));
    } else if (formatted.kept == FormattedSource::Kept::kUnknown) {
      std::fprintf(stderr, "tenure: '%s' stays as it is, by an error in the formatter: report it\n",
                   path.c_str());
      status_ = kExitInternal;
    }
    std::string after = formatted.text;
    if (options_.first_line != 0 && after != before) {
      after = TakeLines(before, after, static_cast<uint32_t>(options_.first_line),
                        static_cast<uint32_t>(options_.last_line));
    }
    Deliver(path, before, after);
  }

  int status() const { return status_; }
  int changed() const { return changed_; }

 private:
  void Fail(const Problem& problem) { status_ = std::max(status_, problem.Print()); }

  void Deliver(const std::string& path, const std::string& before, const std::string& after) {
    const bool only_tells = options_.check || options_.diff;
    const bool is_filter = path == kStandardInput && !only_tells;
    if (is_filter) std::fwrite(after.data(), 1, after.size(), stdout);
    if (is_filter || after == before) return;
    ++changed_;
    if (options_.check) std::puts(path.c_str());
    if (options_.diff) std::fputs(UnifiedDiff(path, before, after).c_str(), stdout);
    if (only_tells) {
      status_ = std::max(status_, static_cast<int>(kExitProblems));
      return;
    }
    const std::string why = ReplaceFile(path, before, after);
    if (!why.empty()) Fail(Problem(StatusCode::kIo, why));
  }

  const FormatOptions& options_;
  int status_ = kExitOk;
  int changed_ = 0;
};

}  // namespace

int FormatSources(const Options& options) {
  const FormatOptions& format = options.format_options;
  OrProblem<std::vector<std::string>> files = FindFiles(format);
  if (!files.ok()) return files.problem().Print(kExitUsage);
  FormatRun run(format);
  for (const std::string& file : *files) run.Format(file);
  if (!format.check && !format.diff && run.changed() > 0) {
    std::fprintf(stderr, "tenure: formatted %d of %zu file%s\n", run.changed(), files->size(),
                 files->size() == 1 ? "" : "s");
  }
  return run.status();
}

}  // namespace tenure::compiler
