#include "compiler/driver/test_command.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/shown_text.h"
#include "compiler/driver/compile.h"
#include "compiler/driver/manifests.h"
#include "compiler/driver/parallel.h"
#include "compiler/driver/temporary_directory.h"
#include "compiler/package/installation.h"
#include "compiler/package/package_source.h"
#include "compiler/source/problem.h"
#include "compiler/source/source_file.h"
#include "compiler/testing/bench_report.h"
#include "compiler/testing/coverage.h"
#include "compiler/testing/isolated_run.h"
#include "compiler/testing/junit.h"
#include "compiler/testing/test_report.h"
#include "compiler/testing/test_results.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

constexpr double kTestSeconds = 60;      // of a named test
constexpr double kProgramSeconds = 600;  // of a program as a whole

// The tests to run: tests by name in one program, and programs that are tests as a whole.
struct Sources {
  std::string package;                // the package's directory, or a module
  std::string tests;                  // its directory of tests; "-": there is none
  bool has_named = false;             // some module has procedures named as tests
  std::vector<std::string> programs;  // modules that export Main, and directories of packages
  std::string only_module;            // "QueueTest": the tests of this module
};

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool AnyHasTests(const std::string& directory) {
  Problem ignored;
  const std::vector<std::string> sources = SourcesIn(directory, &ignored);
  return std::ranges::any_of(sources, PackageSource::HasTests);
}

OrProblem<Sources> FindSources(const Options& options) {
  Sources found;
  found.package = options.directory;
  found.tests = "-";
  std::error_code error;
  if (fs::is_regular_file(options.directory, error)) {
    // One module, of a package if it lies in the package's directory of tests.
    const fs::path module = options.directory;
    const fs::path around = fs::absolute(module, error).parent_path();
    if (around.filename() == "tests") {
      found.tests = module.has_parent_path() ? module.parent_path().string() : ".";
      found.package = (fs::path(found.tests) / "..").lexically_normal().string();
      if (found.package.ends_with('/') && found.package.size() > 1) found.package.pop_back();
    }
    if (PackageSource::ExportsMain(module.string())) {
      if (found.tests == "-") {
        return Problem("'" + options.directory +
                       "' exports Main: it is a program, and no module with tests");
      }
      found.programs.push_back(module.string());
    } else {
      found.has_named = true;
      found.only_module = module.stem().string();
    }
    return found;
  }
  if (!fs::exists(options.directory, error)) {
    return Problem("there is no package '" + options.directory + "'; 'tenure " +
                   (options.command == Options::Command::kBench ? "bench" : "test") + " . " +
                   options.directory + "' runs those whose names contain this");
  }
  const std::string directory = options.directory + "/tests";
  found.has_named = AnyHasTests(options.directory) || AnyHasTests(options.directory + "/src");
  if (!fs::exists(directory, error)) return found;
  found.tests = fs::path(directory).lexically_normal().string();
  found.has_named = found.has_named || AnyHasTests(directory);
  fs::directory_iterator it(directory, error);
  for (const fs::directory_iterator end; !error && it != end; it.increment(error)) {
    const std::string path = it->path().lexically_normal().string();
    std::error_code ignored;
    const bool is_package = it->is_directory(ignored) && it->path().filename().string()[0] != '.';
    if (is_package || PackageSource::ExportsMain(path)) found.programs.push_back(path);
  }
  if (error) return Problem("cannot read the directory '" + directory + "': " + error.message());
  std::sort(found.programs.begin(), found.programs.end());
  return found;
}

// Whether a name is asked for: filters with a slash ask for subtests of the tests that match the
// part before it.
class Selection {
 public:
  explicit Selection(const TestOptions& options)
      : texts_(options.filters), found_(options.filters.size()), skips_(options.skips) {
    found_subtest_.assign(options.filters.size(), false);
    for (const std::string& filter : options.filters) {
      const size_t slash = filter.find('/');
      filters_.emplace_back(filter.substr(0, slash),
                            slash == std::string::npos ? "" : filter.substr(slash + 1));
    }
  }

  bool Has(const std::string& name) {
    return Choose(name, [&](size_t i) { return Contains(name, filters_[i].first); });
  }
  // A program's name is a path, whose slashes select no subtests.
  bool HasProgram(const std::string& path) {
    return Choose(path, [&](size_t i) {
      const bool has = Contains(path, texts_[i]);
      if (has) found_subtest_[i] = true;
      return has;
    });
  }
  // A subtest has run: TEST/SUBTEST.
  void SawSubtest(const std::string& name) {
    const size_t slash = name.find('/');
    for (size_t i = 0; i < filters_.size(); ++i) {
      const auto& [test, subtest] = filters_[i];
      if (Contains(name.substr(0, slash), test) && Contains(name.substr(slash + 1), subtest)) {
        found_subtest_[i] = true;
      }
    }
  }
  // The filters that have found a test, but none of its subtests, for which they ask.
  std::vector<std::string> FiltersWithoutSubtest() const {
    std::vector<std::string> without;
    for (size_t i = 0; i < texts_.size(); ++i) {
      if (found_[i] && !found_subtest_[i] && !filters_[i].second.empty()) {
        without.push_back(texts_[i]);
      }
    }
    return without;
  }
  // Whether the names that were asked about have none that is chosen.
  bool is_empty() const { return !chose_any_; }
  // The filters that none of these names contains.
  std::vector<std::string> FiltersWithoutTest() const {
    std::vector<std::string> without;
    for (size_t i = 0; i < texts_.size(); ++i) {
      if (!found_[i]) without.push_back(texts_[i]);
    }
    return without;
  }
  // The subtests of the test that are asked for; none: all.
  std::vector<std::string> SubtestsOf(const std::string& name) const {
    std::vector<std::string> parts;
    for (const auto& [test, subtest] : filters_) {
      if (!Contains(name, test)) continue;
      if (subtest.empty()) return {};
      parts.push_back(subtest);
    }
    return parts;
  }

 private:
  template <typename Matches>
  bool Choose(const std::string& name, Matches matches) {
    bool is_chosen = filters_.empty();
    for (size_t i = 0; i < filters_.size(); ++i) {
      if (!matches(i)) continue;
      found_[i] = is_chosen = true;
    }
    const auto is_in = [&](const std::string& part) { return Contains(name, part); };
    is_chosen = is_chosen && !std::ranges::any_of(skips_, is_in);
    chose_any_ |= is_chosen;
    return is_chosen;
  }

  std::vector<std::string> texts_;  // the filters as they were given
  std::vector<std::pair<std::string, std::string>> filters_;
  std::vector<bool> found_, found_subtest_;
  std::vector<std::string> skips_;
  bool chose_any_ = false;
};

// One run of `tenure test`.
class TestRun {
 public:
  explicit TestRun(const Options& options) : options_(options), selection_(options.test) {}

  int Run() {
    OrProblem<Sources> sources = FindSources(options_);
    if (!sources.ok()) return sources.problem().Print();
    sources_ = *std::move(sources);
    if (const Problem problem = work_.Make("tenure"); !problem.ok()) return problem.Print();
    std::error_code ignored;
    const bool is_module = fs::is_regular_file(sources_.package, ignored);
    directory_ = fs::absolute(is_module ? fs::path(sources_.package).parent_path()
                                        : fs::path(sources_.package),
                              ignored)
                     .string();
    if (is_module && fs::path(sources_.package).parent_path().empty()) {
      directory_ = fs::current_path(ignored).string();
    }
    const auto begun = std::chrono::steady_clock::now();
    if (!options_.test.compare.empty()) {
      std::string text;
      if (const int error = ReadWholeFile(options_.test.compare, text); error != 0) {
        return Problem("cannot read '" + options_.test.compare + "': " + std::strerror(error))
            .Print();
      }
      before_ = ReadSaved(text);
    }
    if (sources_.has_named) RunNamed();
    for (const std::string& program : sources_.programs) {
      if (is_bench()) break;
      if (stopped_by_ == 0 && selection_.HasProgram(program)) RunProgram(program);
    }
    if (stopped_by_ != 0) return EndBySignal();
    CheckSelection();
    if (options_.test.list) return status();
    const TestOptions& asked = options_.test;
    if (could_build_ && asked.filters.empty() && asked.skips.empty() && selection_.is_empty()) {
      std::fprintf(stderr,
                   "tenure: there are no %s in '%s': a %s is a procedure named %s... of a module "
                   "in its directory 'tests'\n",
                   is_bench() ? "benchmarks" : "tests", options_.directory.c_str(),
                   is_bench() ? "benchmark" : "test", is_bench() ? "Bench" : "Test");
    }
    if (!is_bench() || failed_ > 0) PrintCount();
    if (!WriteSaved() || !WriteCoverage()) return kExitEnvironment;
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    if (!options_.test.junit.empty() && !WriteJunit(seconds)) return kExitEnvironment;
    return status();
  }

 private:
  bool is_bench() const { return options_.command == Options::Command::kBench; }

  int status() const {
    if (!could_build_) return kExitEnvironment;
    if (failed_ > 0) return kExitProblems;
    return is_selection_wrong_ ? kExitUsage : kExitOk;
  }

  // Says which filters find nothing: a test that was renamed must not pass in silence.
  void CheckSelection() {
    if (!could_build_ || failed_ > 0) return;  // the names are not known, or worse has been said
    const char* const what = is_bench() ? "benchmark" : "test";
    const std::vector<std::string> without = selection_.FiltersWithoutTest();
    for (const std::string& filter : without) {
      std::fprintf(stderr, "tenure: no %s has \"%s\" in its name; --list shows the names\n", what,
                   ShownText(filter).c_str());
    }
    const std::vector<std::string> without_subtest = options_.test.list || is_bench()
                                                         ? std::vector<std::string>()
                                                         : selection_.FiltersWithoutSubtest();
    for (const std::string& filter : without_subtest) {
      std::fprintf(stderr, "tenure: no subtest has \"%s\" in its name; -v shows the names\n",
                   ShownText(filter).c_str());
    }
    const bool skips_all = without.empty() && !options_.test.skips.empty() && selection_.is_empty();
    if (skips_all) std::fprintf(stderr, "tenure: --skip leaves no %s\n", what);
    is_selection_wrong_ = !without.empty() || !without_subtest.empty() || skips_all;
  }

  double Seconds(double usual) const {
    return options_.test.seconds > 0 ? options_.test.seconds : usual;
  }

  IsolatedRun NewRun(const std::string& program) {
    IsolatedRun run;
    run.command = {program};
    run.temporary = work_.path() + "/" + std::to_string(++run_count_);
    if (options_.coverage) run.environment.emplace_back("TENURE_COVERAGE", CountsOf(run));
    if (options_.test.stress) run.environment.emplace_back("TENURE_OPTIONS", StressFlags());
    run.most_bytes = options_.test.most_megabytes << 20;
    std::error_code error;
    // Others need room, too.
    const fs::space_info space = fs::space(work_.path(), error);
    if (!error) run.most_bytes = std::min<uint64_t>(run.most_bytes, space.available / 2);
    return run;
  }

  static std::string StressFlags() {
    const char* given = std::getenv("TENURE_OPTIONS");
    return std::string(given != nullptr ? given : "") +
           " @M3gcstress=53 @M3paranoidgc @M3paranoiddb @M3dbbase=random";
  }

  // --- Coverage ---

  static std::string CountsOf(const IsolatedRun& run) { return run.temporary + ".counts"; }

  // Takes the counts of the run's processes.
  void TakeCounts(const IsolatedRun& run) {
    if (!options_.coverage) return;
    const std::string prefix = fs::path(CountsOf(run)).filename().string() + ".";
    std::error_code error;
    std::vector<std::string> found;
    for (fs::directory_iterator it(work_.path(), error), end; !error && it != end;
         it.increment(error)) {
      if (it->path().filename().string().starts_with(prefix)) found.push_back(it->path().string());
    }
    for (const std::string& path : found) {
      std::string text;
      if (ReadWholeFile(path, text) == 0) coverage_.Add(text);
      unlink(path.c_str());
    }
  }

  bool WriteCoverage() {
    if (!options_.coverage) return true;
    const std::string& directory = options_.test.coverage;
    std::error_code ignored;
    std::vector<std::string> left_out;
    if (sources_.tests != "-") {
      left_out.push_back(fs::weakly_canonical(sources_.tests, ignored).string());
    }
    Installation installation;
    if (FindInstallation(&installation).ok()) {
      left_out.push_back(fs::weakly_canonical(installation.library_directory, ignored).string());
    }
    // Units of other packages are not counted, but a generic one of theirs is part of a unit here.
    Resolution needed;
    if (fs::exists(fs::path(directory_) / kManifestName, ignored) &&
        MakeResolver().Resolve(directory_, &needed).ok()) {
      for (const auto& [name, package] : needed.packages) {
        left_out.push_back(fs::weakly_canonical(package.directory, ignored).string());
      }
    }
    const std::map<std::string, FileCoverage> files = coverage_.Files(left_out);
    Problem problem(WriteCoveragePages(files, directory));
    if (problem.ok()) problem = WriteText(directory + "/coverage.lcov", LcovText(files));
    if (!problem.ok()) {
      problem.Print();
      return false;
    }
    std::printf("coverage: %s, in %s/index.html\n", CoverageSummary(files).c_str(),
                directory.c_str());
    return true;
  }

  static Problem WriteText(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    return file ? Problem() : Problem("cannot write '" + path + "': " + std::strerror(errno));
  }

  // Builds the program that the options name. Counts and prints a failure as that of the test
  // `name`.
  bool BuildTest(const Options& build, const std::string& name, std::string* program) {
    const int status = Build(build, program);
    could_build_ &= status != kExitEnvironment;
    const char* problem = status == kExitEnvironment ? "cannot be built"
                          : status != kExitOk        ? "does not compile"
                          : program->empty()         ? "makes no program"
                                                     : nullptr;
    if (problem == nullptr) {
      std::error_code ignored;
      *program = fs::absolute(*program, ignored).string();
      return true;
    }
    ++failed_;
    std::printf("FAILED  %s: it %s\n", name.c_str(), problem);
    TestResult result;
    result.name = name;
    result.crashed = true;
    result.messages.push_back({true, "", problem});
    all_.push_back(result);
    return false;
  }

  // --- Programs that are tests as a whole ---

  void RunProgram(const std::string& test) {
    if (options_.test.list) {
      std::printf("%s\n", test.c_str());
      return;
    }
    if (options_.test.fail_fast && failed_ > 0) return;
    Options build = options_;
    if (fs::is_directory(test)) {
      build.directory = test;
    } else {
      build.directory = sources_.package;
      build.test_module = test;
    }
    std::string program;
    if (!BuildTest(build, test, &program)) return;
    IsolatedRun run = NewRun(program);
    run.seconds = Seconds(kProgramSeconds);
    run.echo = true;
    std::fflush(stdout);
    stopped_by_ = RunIsolated({run}, 1, [&](size_t, const RunOutcome& outcome) {
      TakeCounts(run);
      TestResult result;
      result.name = test;
      result.seconds = outcome.elapsed;
      result.output = outcome.output;
      if (outcome.IsSuccess()) {
        result.status = TestStatus::kPassed;
        ++passed_;
        std::printf("ok      %s\n", test.c_str());
      } else {
        const std::string end = DescribeEnd(run, outcome);
        result.crashed = outcome.end != RunOutcome::End::kExited;
        result.messages.push_back({true, "", end});
        ++failed_;
        std::printf("FAILED  %s: it %s\n", test.c_str(), end.c_str());
      }
      all_.push_back(std::move(result));
    });
  }

  // --- Tests by name ---

  void RunNamed() {
    Options build = options_;
    build.directory = sources_.package;
    build.test_directory = sources_.tests;
    std::string program;
    const std::string name = sources_.tests == "-" ? sources_.package : sources_.tests;
    if (!BuildTest(build, name, &program)) return;
    std::vector<std::string> names = ListOf(program);
    std::erase_if(names, [&](const std::string& test) {
      return (!sources_.only_module.empty() && !test.starts_with(sources_.only_module + ".")) ||
             !selection_.Has(test);
    });
    if (options_.test.list) {
      for (const std::string& test : names) std::printf("%s\n", test.c_str());
      return;
    }
    if (options_.test.shuffle) Shuffle(names);
    std::vector<IsolatedRun> runs;
    for (const std::string& test : names) runs.push_back(RunOf(program, test));
    RunAll(names, runs);
  }

  std::string ResultsOf(const IsolatedRun& run) const { return run.temporary + ".results"; }

  IsolatedRun RunOf(const std::string& program, const std::string& test) {
    IsolatedRun run = NewRun(program);
    run.directory = directory_;
    run.seconds = Seconds(kTestSeconds);
    run.command.insert(run.command.end(), {is_bench() ? "--bench" : "--run", test, "--results",
                                           ResultsOf(run), "--directory", run.temporary});
    for (const std::string& part : selection_.SubtestsOf(test)) {
      run.command.insert(run.command.end(), {"--sub", part});
    }
    return run;
  }

  // The names of the program's tests, in the order of its units.
  std::vector<std::string> ListOf(const std::string& program) {
    IsolatedRun run = NewRun(program);
    run.directory = directory_;
    run.command.push_back("--list");
    std::vector<std::string> names;
    stopped_by_ = RunIsolated({run}, 1, [&](size_t, const RunOutcome& outcome) {
      if (!outcome.IsSuccess()) {
        std::printf("FAILED  %s: the program of the tests %s\n%s", program.c_str(),
                    DescribeEnd(run, outcome).c_str(), outcome.output.c_str());
        ++failed_;
        return;
      }
      std::istringstream lines(outcome.output);
      const std::string word = is_bench() ? "bench " : "test ";
      for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(word)) names.push_back(line.substr(word.size()));
      }
    });
    return names;
  }

  void Shuffle(std::vector<std::string>& names) {
    uint64_t seed = options_.test.seed;
    if (seed == 0) seed = std::random_device()() % 1000000 + 1;
    std::printf("random order: --seed %llu\n", static_cast<unsigned long long>(seed));
    // Not std::shuffle, whose order differs between libraries.
    std::mt19937_64 random(seed);
    for (size_t i = names.size(); i > 1; --i) std::swap(names[i - 1], names[random() % i]);
  }

  // Runs all, and prints them in this order, each as soon as those before it have ended.
  void RunAll(const std::vector<std::string>& names, const std::vector<IsolatedRun>& runs) {
    std::map<size_t, std::vector<TestResult>> ended;
    size_t next = 0;
    const auto done = [&](size_t i, const RunOutcome& outcome) {
      std::string text;
      ReadWholeFile(ResultsOf(runs[i]), text);
      unlink(ResultsOf(runs[i]).c_str());
      TakeCounts(runs[i]);
      BenchSamples samples;
      ended[i] = ReadResults(names[i], text, runs[i], outcome, &samples);
      if (!samples.nanoseconds.empty()) benchmarks_[names[i]] = Summarize(samples);
      for (; !ended.empty() && ended.begin()->first == next; ++next) {
        Take(std::move(ended.begin()->second));
        ended.erase(ended.begin());
      }
    };
    // Benchmarks would disturb each other.
    const int processes = is_bench() ? 1 : ProcessesFor(options_);
    if (!options_.test.fail_fast) {
      stopped_by_ = RunIsolated(runs, processes, done);
      return;
    }
    const auto step = static_cast<size_t>(std::max(processes, 1));
    for (size_t i = 0; i < runs.size() && failed_ == 0 && stopped_by_ == 0; i += step) {
      const std::vector<IsolatedRun> some(
          runs.begin() + static_cast<ptrdiff_t>(i),
          runs.begin() + static_cast<ptrdiff_t>(std::min(i + step, runs.size())));
      stopped_by_ = RunIsolated(some, processes,
                                [&](size_t k, const RunOutcome& outcome) { done(i + k, outcome); });
    }
  }

  // Counts and prints one test and its subtests.
  void Take(std::vector<TestResult> results) {
    switch (results[0].status) {
      case TestStatus::kPassed: ++passed_; break;
      case TestStatus::kSkipped: ++skipped_; break;
      case TestStatus::kFailed: ++failed_; break;
    }
    const auto benchmark = benchmarks_.find(results[0].name);
    if (benchmark != benchmarks_.end() && results[0].status == TestStatus::kPassed) {
      const auto before = before_.find(benchmark->first);
      std::fputs(BenchLine(benchmark->first, benchmark->second,
                           before == before_.end() ? nullptr : &before->second)
                     .c_str(),
                 stdout);
    } else {
      std::fputs(ReportTest(results, options_.verbose, sources_.package).c_str(), stdout);
    }
    std::fflush(stdout);
    for (const TestResult& result : results) {
      if (result.IsSubtest()) selection_.SawSubtest(result.name);
    }
    for (TestResult& result : results) all_.push_back(std::move(result));
  }

  // --- The end ---

  void PrintCount() const {
    std::string text = std::to_string(passed_) + " passed, " + std::to_string(failed_) + " failed";
    if (skipped_ > 0) text += ", " + std::to_string(skipped_) + " skipped";
    std::printf("%s\n", text.c_str());
  }

  bool WriteSaved() const {
    if (options_.test.save.empty()) return true;
    const Problem problem = WriteText(options_.test.save, SavedText(benchmarks_));
    if (!problem.ok()) problem.Print();
    return problem.ok();
  }

  bool WriteJunit(double seconds) const {
    const std::string package = fs::path(directory_).lexically_normal().filename().string();
    const Problem problem =
        WriteText(options_.test.junit, JunitXml(all_, package.empty() ? "." : package, seconds));
    if (!problem.ok()) problem.Print();
    return problem.ok();
  }

  // As a shell expects of a command that a signal ends.
  int EndBySignal() {
    std::fflush(stdout);
    work_.Remove();
    std::signal(stopped_by_, SIG_DFL);
    std::raise(stopped_by_);
    _exit(kExitEnvironment);
  }

  const Options& options_;
  Selection selection_;
  Sources sources_;
  TemporaryDirectory work_;
  std::string directory_;  // where tests by name run, absolute
  size_t run_count_ = 0;
  int passed_ = 0, failed_ = 0, skipped_ = 0;
  bool is_selection_wrong_ = false;
  bool could_build_ = true;  // but for errors in the sources
  int stopped_by_ = 0;       // a signal
  std::vector<TestResult> all_;
  Coverage coverage_;
  std::map<std::string, BenchResult> benchmarks_, before_;
};

}  // namespace

int RunTests(const Options& options) { return TestRun(options).Run(); }

}  // namespace tenure::compiler
