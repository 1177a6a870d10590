#include "compiler/testing/isolated_run.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kOutputKept = 64 << 10;  // at the beginning, and as much at the end
constexpr int kLookMs = 100;              // how often a supervisor looks at its directory

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Keeps the beginning and the end of a long text.
class BoundedText {
 public:
  void Add(const char* bytes, size_t count) {
    total_ += count;
    const size_t to_head = std::min(count, kOutputKept - std::min(kOutputKept, head_.size()));
    head_.append(bytes, to_head);
    tail_.append(bytes + to_head, count - to_head);
    if (tail_.size() > 2 * kOutputKept) tail_.erase(0, tail_.size() - kOutputKept);
  }
  uint64_t total() const { return total_; }
  std::string Text() const {
    const size_t tail = std::min(tail_.size(), kOutputKept);
    const uint64_t missing = total_ - head_.size() - tail;
    std::string text = head_;
    if (missing > 0) text += "\n... " + std::to_string(missing) + " bytes left out ...\n";
    return text + tail_.substr(tail_.size() - tail);
  }

 private:
  uint64_t total_ = 0;
  std::string head_, tail_;
};

bool WriteAll(int file, const char* bytes, size_t count) {
  while (count > 0) {
    const ssize_t written = write(file, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes += written;
    count -= static_cast<size_t>(written);
  }
  return true;
}

// The processes whose parent is this one.
std::vector<pid_t> Children() {
  std::vector<pid_t> found;
  DIR* processes = opendir("/proc");
  if (processes == nullptr) return found;
  const pid_t self = getpid();
  while (const dirent* entry = readdir(processes)) {
    const pid_t process = std::atoi(entry->d_name);
    if (process <= 0) continue;
    std::FILE* file = std::fopen(("/proc/" + std::string(entry->d_name) + "/stat").c_str(), "re");
    if (file == nullptr) continue;
    char line[512];
    const size_t length = std::fread(line, 1, sizeof line - 1, file);
    std::fclose(file);
    line[length] = '\0';
    // "PID (NAME) STATE PARENT": the name may have blanks and parentheses.
    const char* behind_name = std::strrchr(line, ')');
    char state;
    int parent;
    if (behind_name != nullptr && std::sscanf(behind_name + 1, " %c %d", &state, &parent) == 2 &&
        parent == self && state != 'Z') {
      found.push_back(process);
    }
  }
  closedir(processes);
  return found;
}

// Kills all descendants of this process, which adopts those whose parents end. Returns how many
// were still running.
int KillDescendants(pid_t group) {
  constexpr int kMostLooks = 2000;
  constexpr int kPauseUs = 2000;
  int killed = 0;
  if (group > 0) kill(-group, SIGKILL);
  for (int look = 0; look < kMostLooks; ++look) {
    bool any = false;
    pid_t reaped;
    while ((reaped = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    any = reaped == 0;
    if (!any) break;  // no children
    for (const pid_t child : Children()) {
      if (kill(child, SIGKILL) == 0 && look == 0) ++killed;
    }
    usleep(kPauseUs);
  }
  return killed;
}

// The room that the files of the directory take, at least.
uint64_t BytesIn(const std::string& directory, uint64_t enough) {
  uint64_t bytes = 0;
  std::error_code error;
  fs::recursive_directory_iterator it(directory, fs::directory_options::skip_permission_denied,
                                      error);
  for (; !error && it != fs::recursive_directory_iterator() && bytes <= enough;
       it.increment(error)) {
    struct stat status;
    if (lstat(it->path().c_str(), &status) == 0) {
      bytes += static_cast<uint64_t>(status.st_blocks) * 512;
    }
  }
  return bytes;
}

void RemoveTree(const std::string& directory) {
  std::error_code error;
  fs::remove_all(directory, error);
  if (!error) return;
  // A command may take the rights to its own directories away.
  fs::recursive_directory_iterator it(directory, fs::directory_options::skip_permission_denied,
                                      error);
  chmod(directory.c_str(), 0700);
  for (int round = 0; round < 64; ++round) {
    it = fs::recursive_directory_iterator(directory, fs::directory_options::skip_permission_denied,
                                          error);
    for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
      std::error_code ignored;
      if (it->is_directory(ignored) && !it->is_symlink(ignored)) chmod(it->path().c_str(), 0700);
    }
    fs::remove_all(directory, error);
    if (!error) return;
  }
}

volatile std::sig_atomic_t stopped_by = 0;
void NoteSignal(int signal) { stopped_by = signal; }

constexpr std::array kEndingSignals = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

void SetHandler(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigaction(signal, &action, nullptr);
}

// While it exists, ending signals are noted. Ignored ones stay ignored.
class NotedSignals {
 public:
  NotedSignals() {
    stopped_by = 0;
    for (size_t i = 0; i < before_.size(); ++i) {
      sigaction(kEndingSignals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) SetHandler(kEndingSignals[i], NoteSignal);
    }
  }
  ~NotedSignals() {
    for (size_t i = 0; i < before_.size(); ++i) sigaction(kEndingSignals[i], &before_[i], nullptr);
  }
  NotedSignals(const NotedSignals&) = delete;
  NotedSignals& operator=(const NotedSignals&) = delete;

 private:
  std::array<struct sigaction, kEndingSignals.size()> before_;
};

// The supervised process, after fork. `problem` is the pipe that tells why it could not begin.
[[noreturn]] void BecomeCommand(const IsolatedRun& run, pid_t supervisor, int output, int errors,
                                int problem) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != supervisor) _exit(0);
  setsid();
  for (const int signal : kEndingSignals) SetHandler(signal, SIG_DFL);
  std::signal(SIGXFSZ, SIG_DFL);
  const int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (run.most_bytes > 0) {
    rlimit largest = {run.most_bytes, run.most_bytes};
    setrlimit(RLIMIT_FSIZE, &largest);
  }
  // When memory runs out, the system is to end this process, not its neighbours.
  if (const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); file >= 0) {
    WriteAll(file, "1000", 4);
    close(file);
  }
  int failure = 0;
  setenv("TMPDIR", run.temporary.c_str(), 1);
  for (const auto& [name, value] : run.environment) setenv(name.c_str(), value.c_str(), 1);
  if (!run.directory.empty() && chdir(run.directory.c_str()) != 0) failure = errno;
  if (failure == 0) {
    std::vector<char*> argv;
    for (const std::string& word : run.command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    failure = errno;
  }
  WriteAll(problem, reinterpret_cast<const char*>(&failure), sizeof failure);
  _exit(127);
}

// The supervisor of one command, a process of its own.
class Supervisor {
 public:
  explicit Supervisor(const IsolatedRun& run) : run_(run) {}

  RunOutcome Run() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (const int signal : kEndingSignals) SetHandler(signal, NoteSignal);
    std::error_code ignored;
    if (!run_.temporary.empty()) fs::create_directories(run_.temporary, ignored);
    if (Start()) {
      Watch();
      outcome_.elapsed = SecondsSince(begun_);
      outcome_.left_behind = KillDescendants(child_);
      Drain();
      outcome_.output = text_.Text();
      outcome_.output_bytes = text_.total();
    }
    if (!run_.temporary.empty()) RemoveTree(run_.temporary);
    return outcome_;
  }

 private:
  struct Stream {
    int pipe;      // of the command, to be read
    int shown_on;  // this process's descriptor, when the command's output is echoed
  };

  bool Start() {
    int output[2], errors[2] = {-1, -1}, problem[2];
    if (pipe2(output, O_CLOEXEC) != 0) return NotStarted(errno);
    // Two streams that are shown at once stay two; else their order counts.
    if (run_.echo && pipe2(errors, O_CLOEXEC) != 0) return NotStarted(errno);
    if (pipe2(problem, O_CLOEXEC) != 0) return NotStarted(errno);
    const pid_t self = getpid();
    begun_ = Clock::now();
    child_ = fork();
    if (child_ == 0) {
      BecomeCommand(run_, self, output[1], run_.echo ? errors[1] : output[1], problem[1]);
    }
    if (child_ < 0) return NotStarted(errno);
    close(output[1]);
    close(problem[1]);
    int failure = 0;
    ssize_t got;
    while ((got = read(problem[0], &failure, sizeof failure)) < 0 && errno == EINTR) {
    }
    close(problem[0]);
    if (got == sizeof failure) {
      waitpid(child_, nullptr, 0);
      return NotStarted(failure);
    }
    streams_.push_back({output[0], STDOUT_FILENO});
    if (run_.echo) {
      close(errors[1]);
      streams_.push_back({errors[0], STDERR_FILENO});
    }
    for (const Stream& stream : streams_) fcntl(stream.pipe, F_SETFL, O_NONBLOCK);
    return true;
  }

  bool NotStarted(int error) {
    outcome_.end = RunOutcome::End::kNotStarted;
    outcome_.number = error;
    return false;
  }

  // Watches until the command has ended or has been killed.
  void Watch() {
    Clock::time_point looked = begun_;
    for (;;) {
      int status = 0;
      const pid_t ended = waitpid(child_, &status, WNOHANG);
      if (ended == child_) {
        if (WIFSIGNALED(status)) {
          outcome_.end = RunOutcome::End::kSignalled;
          outcome_.number = WTERMSIG(status);
        } else {
          outcome_.end = RunOutcome::End::kExited;
          outcome_.number = WEXITSTATUS(status);
        }
        return;
      }
      if (stopped_by != 0) return Kill(RunOutcome::End::kTimedOut);
      const double left = run_.seconds > 0 ? run_.seconds - SecondsSince(begun_) : 3600;
      if (left <= 0) return Kill(RunOutcome::End::kTimedOut);
      if (run_.most_bytes > 0 && SecondsSince(looked) * 1000 >= kLookMs) {
        const Clock::time_point before = Clock::now();
        if (BytesIn(run_.temporary, run_.most_bytes) > run_.most_bytes) {
          return Kill(RunOutcome::End::kTooLarge);
        }
        // A directory of many files takes long to look at: not more than a tenth of the time.
        looked = Clock::now() + (Clock::now() - before) * 9;
      }
      Wait(std::min(left * 1000 + 1, static_cast<double>(kLookMs)));
    }
  }

  // Waits for output or for the end of the command, noticed through SIGCHLD and a short wait.
  void Wait(double most_ms) {
    // The first milliseconds decide how long a small test takes.
    const double young = SecondsSince(begun_) * 1000;
    const double wait = std::min(most_ms, young < 20 ? 1.0 : young < 200 ? 5.0 : 20.0);
    std::vector<pollfd> files;
    for (const Stream& stream : streams_) files.push_back({stream.pipe, POLLIN, 0});
    if (files.empty()) {
      usleep(static_cast<useconds_t>(wait * 1000));
    } else if (poll(files.data(), files.size(), static_cast<int>(wait)) > 0) {
      Drain();
    }
  }

  // Reads what the pipes have now.
  void Drain() {
    std::erase_if(streams_, [&](const Stream& stream) { return DrainOne(stream); });
  }

  // Whether the stream has ended.
  bool DrainOne(const Stream& stream) {
    char bytes[65536];
    for (int round = 0; round < 16; ++round) {
      const ssize_t count = read(stream.pipe, bytes, sizeof bytes);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return false;
      if (count == 0) return true;
      text_.Add(bytes, static_cast<size_t>(count));
      if (run_.echo) WriteAll(stream.shown_on, bytes, static_cast<size_t>(count));
    }
    return false;
  }

  void Kill(RunOutcome::End why) {
    outcome_.end = why;
    kill(-child_, SIGKILL);
    kill(child_, SIGKILL);
    while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  const IsolatedRun& run_;
  RunOutcome outcome_;
  BoundedText text_;
  Clock::time_point begun_;
  pid_t child_ = -1;
  std::vector<Stream> streams_;  // streams that have not ended
};

// A supervisor sends this to the process that started it, before the output.
struct Header {
  RunOutcome::End end;
  int number;
  double elapsed;
  int left_behind;
  uint64_t output_bytes;
};

// A supervisor that runs.
struct Active {
  size_t index;
  pid_t process;
  int pipe;
  std::string received;
};

RunOutcome OutcomeOf(const std::string& received) {
  RunOutcome outcome;
  Header header;
  if (received.size() < sizeof header) {
    outcome.number = ECHILD;
    return outcome;
  }
  std::memcpy(&header, received.data(), sizeof header);
  outcome.end = header.end;
  outcome.number = header.number;
  outcome.elapsed = header.elapsed;
  outcome.left_behind = header.left_behind;
  outcome.output_bytes = header.output_bytes;
  outcome.output = received.substr(sizeof header);
  return outcome;
}

// False with errno set if no process can be made.
bool StartSupervisor(const IsolatedRun& run, Active* active) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  std::fflush(nullptr);  // otherwise the copy would write the buffered text
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(0);
    const RunOutcome outcome = Supervisor(run).Run();
    Header header = {};
    header.end = outcome.end;
    header.number = outcome.number;
    header.elapsed = outcome.elapsed;
    header.left_behind = outcome.left_behind;
    header.output_bytes = outcome.output_bytes;
    std::signal(SIGPIPE, SIG_IGN);
    if (WriteAll(ends[1], reinterpret_cast<const char*>(&header), sizeof header)) {
      WriteAll(ends[1], outcome.output.data(), outcome.output.size());
    }
    _exit(0);
  }
  close(ends[1]);
  if (process < 0) {
    close(ends[0]);
    return false;
  }
  active->process = process;
  active->pipe = ends[0];
  return true;
}

}  // namespace

std::string DescribeEnd(const IsolatedRun& run, const RunOutcome& outcome) {
  char text[160];
  switch (outcome.end) {
    case RunOutcome::End::kExited: return "ended with status " + std::to_string(outcome.number);
    case RunOutcome::End::kSignalled:
      if (outcome.number == SIGXFSZ) {
        return "wrote a file of more than " + std::to_string(run.most_bytes >> 20) + " MB";
      }
      return "was ended by signal " + std::to_string(outcome.number) + " (" +
             strsignal(outcome.number) + ")";
    case RunOutcome::End::kTimedOut:
      std::snprintf(text, sizeof text, "took longer than %g s and was ended", run.seconds);
      return text;
    case RunOutcome::End::kTooLarge:
      return "had more than " + std::to_string(run.most_bytes >> 20) +
             " MB in its temporary directory and was ended";
    case RunOutcome::End::kNotStarted: break;
  }
  return std::string("cannot be run: ") + std::strerror(outcome.number);
}

int RunIsolated(const std::vector<IsolatedRun>& runs, int processes,
                const std::function<void(size_t, RunOutcome)>& done) {
  std::vector<Active> active;
  size_t next = 0;
  const NotedSignals noted;
  while (stopped_by == 0 && (next < runs.size() || !active.empty())) {
    while (next < runs.size() && active.size() < static_cast<size_t>(std::max(processes, 1))) {
      Active started = {next, -1, -1, ""};
      if (StartSupervisor(runs[next], &started)) {
        active.push_back(started);
      } else if (active.empty()) {
        RunOutcome failed;
        failed.number = errno;
        done(next, failed);
      } else {
        break;  // once another one has ended
      }
      ++next;
    }
    std::vector<pollfd> files;
    for (const Active& one : active) files.push_back({one.pipe, POLLIN, 0});
    if (poll(files.data(), files.size(), -1) < 0) continue;
    for (size_t i = files.size(); i-- > 0;) {
      if (files[i].revents == 0) continue;
      char bytes[65536];
      const ssize_t count = read(active[i].pipe, bytes, sizeof bytes);
      if (count < 0 && errno == EINTR) continue;
      if (count > 0) {
        active[i].received.append(bytes, static_cast<size_t>(count));
        continue;
      }
      const Active ended = active[i];
      active.erase(active.begin() + static_cast<ptrdiff_t>(i));
      close(ended.pipe);
      while (waitpid(ended.process, nullptr, 0) < 0 && errno == EINTR) {
      }
      done(ended.index, OutcomeOf(ended.received));
    }
  }
  for (const Active& one : active) kill(one.process, SIGTERM);
  for (const Active& one : active) {
    close(one.pipe);
    while (waitpid(one.process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  return stopped_by;
}

}  // namespace tenure::compiler
