#include "compiler/driver/parallel.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "base/machine_limits.h"

namespace tenure::compiler {

namespace {

// The state that the copies share: an idle copy takes the next piece.
struct Shared {
  std::atomic<size_t> next = 0;
  std::atomic<bool> failed = false;
};

Shared* MakeShared() {
  void* memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) Shared;
}

// Takes pieces until there is none; sends each problem as "INDEX TEXT\0".
int WorkInChild(Shared* shared, size_t count, int problems,
                const std::function<Problem(size_t)>& work) {
  for (size_t i; !shared->failed && (i = shared->next++) < count;) {
    const Problem problem = work(i);
    if (problem.ok()) continue;
    shared->failed = true;
    std::string message = std::to_string(i) + " " + problem.text();
    message.push_back('\0');
    for (size_t sent = 0; sent < message.size();) {
      const ssize_t n = write(problems, message.data() + sent, message.size() - sent);
      if (n < 0 && errno != EINTR) return 1;
      if (n > 0) sent += static_cast<size_t>(n);
    }
  }
  return 0;
}

std::string ReadAll(int fd) {
  std::string text;
  char buffer[4096];
  ssize_t n;
  while ((n = read(fd, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR)) {
    if (n > 0) text.append(buffer, static_cast<size_t>(n));
  }
  return text;
}

// Keeps in `first` the problem with the lowest index among those that one child sent.
void TakeProblems(const std::string& sent, std::map<size_t, std::string>* first) {
  for (size_t at = 0; at < sent.size();) {
    const size_t end = std::min(sent.find('\0', at), sent.size());
    const size_t blank = std::min(sent.find(' ', at), end);
    const size_t index = std::strtoull(sent.c_str() + at, nullptr, 10);
    first->emplace(index, sent.substr(std::min(blank + 1, end), end - std::min(blank + 1, end)));
    at = end + 1;
  }
}

Problem InThisProcess(size_t from, size_t count, const std::function<Problem(size_t)>& work) {
  for (size_t i = from; i < count; ++i) {
    TN_RETURN_IF_PROBLEM(work(i));
  }
  return Problem();
}

}  // namespace

int ProcessesFor(const Options& options) {
  return options.processes == 0 ? static_cast<int>(ProcessorCount()) : options.processes;
}

Problem ForEachInParallel(size_t count, int processes, const std::function<Problem(size_t)>& work) {
  const size_t copies = std::min(count, static_cast<size_t>(std::max(processes, 1)));
  if (copies <= 1) return InThisProcess(0, count, work);
  Shared* shared = MakeShared();
  if (shared == nullptr) return InThisProcess(0, count, work);

  struct Child {
    pid_t process;
    int problems;  // the pipe's end to read
  };
  std::vector<Child> children;
  std::fflush(nullptr);  // Otherwise every copy would write the buffered text.
  while (children.size() < copies) {
    int ends[2];
    if (pipe(ends) != 0) break;
    const pid_t process = fork();
    if (process == 0) {
      close(ends[0]);
      const int status = WorkInChild(shared, count, ends[1], work);
      std::fflush(nullptr);
      _exit(status);
    }
    close(ends[1]);
    if (process < 0) {
      close(ends[0]);
      break;
    }
    children.push_back({process, ends[0]});
  }
  std::map<size_t, std::string> problems;
  if (children.empty()) {
    munmap(shared, sizeof *shared);
    return InThisProcess(0, count, work);
  }
  int bad_status = 0;
  for (const Child& child : children) {
    TakeProblems(ReadAll(child.problems), &problems);
    close(child.problems);
    int status = 0;
    while (waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
    }
    if (status != 0) bad_status = status;
  }
  munmap(shared, sizeof *shared);
  if (!problems.empty()) return Problem(problems.begin()->second);
  if (bad_status == 0) return Problem();
  if (WIFEXITED(bad_status)) {
    // The copy has reported the reason: it ended as the whole compiler would have.
    std::exit(WEXITSTATUS(bad_status));
  }
  return Problem("a compiling process was ended by signal " + std::to_string(WTERMSIG(bad_status)));
}

}  // namespace tenure::compiler
