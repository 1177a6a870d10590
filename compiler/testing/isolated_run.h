// Commands that may do anything, run so that they do no harm to each other: a command that hangs,
// crashes, forks, fills the disk or floods its output ends, and all its processes with it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tenure::compiler {

struct IsolatedRun {
  std::vector<std::string> command;  // the program's path, and its arguments
  std::string directory;             // where it runs
  // Made before the command begins, named by TMPDIR in its environment, removed after it.
  std::string temporary;
  std::vector<std::pair<std::string, std::string>> environment;  // added to this process's own
  double seconds = 60;  // it is killed after this time; 0: never
  uint64_t most_bytes = uint64_t{1}
                        << 30;  // of `temporary`, and of any file that it writes; 0: any
  bool echo = false;            // its output also goes to this process's standard output, at once
};

struct RunOutcome {
  enum class End : uint8_t {
    kExited,      // `number`: the exit status
    kSignalled,   // `number`: the signal
    kTimedOut,    // killed after `seconds`
    kTooLarge,    // killed because `temporary` grew beyond `most_bytes`
    kNotStarted,  // `number`: errno
  };
  End end = End::kNotStarted;
  int number = 0;
  double elapsed = 0;         // seconds
  int left_behind = 0;        // processes that still ran when the command ended, and were killed
  uint64_t output_bytes = 0;  // all that it wrote
  // Standard output and error together; of long output the beginning and the end, with a line
  // between them that says how much is missing.
  std::string output;

  bool IsSuccess() const { return end == End::kExited && number == 0; }
};

// "ended with status 3", "was ended by signal 11 (Segmentation fault)", "took longer than 2 s and
// was ended", ...
std::string DescribeEnd(const IsolatedRun& run, const RunOutcome& outcome);

// Runs all commands, up to `processes` at a time, and calls done(index, outcome) when one ends. If
// this process gets SIGINT, SIGTERM or SIGHUP, all commands are killed and the result is that
// signal; else 0.
int RunIsolated(const std::vector<IsolatedRun>& runs, int processes,
                const std::function<void(size_t, RunOutcome)>& done);

}  // namespace tenure::compiler
