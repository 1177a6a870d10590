// The C side of the library's child processes, pipes, and facts about the system. Failures are
// -errno.

#include <fcntl.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "runtime/heap/text.h"
#include "runtime/threads/threads.h"

using namespace tenure::runtime;
using tenure::abi::Ref;

namespace {

// The strings of a list in which a zero ends each, and after them the null that C expects. The
// strings stay the caller's.
std::vector<char*> Strings(const char* list, int64_t length) {
  std::vector<char*> strings;
  for (const char* at = list; at < list + length; at += std::string_view(at).size() + 1) {
    strings.push_back(const_cast<char*>(at));
  }
  strings.push_back(nullptr);
  return strings;
}

// The initial state of a child: the system's default signals, since our handlers mean nothing to
// it.
class Attributes {
 public:
  Attributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t set;
    sigfillset(&set);
    posix_spawnattr_setsigdefault(&attributes_, &set);
    sigemptyset(&set);
    posix_spawnattr_setsigmask(&attributes_, &set);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

// The child's actions before the program starts. Its standard descriptors are made from copies
// above them: a parent's handle may be descriptor 0, 1 or 2 itself.
class Actions {
 public:
  Actions() { posix_spawn_file_actions_init(&actions_); }
  ~Actions() {
    posix_spawn_file_actions_destroy(&actions_);
    for (int fd : copies_) close(fd);
  }

  // 0 or an errno. fd < 0: the child has no such descriptor.
  int Standard(int number, int64_t fd) {
    if (fd < 0) return posix_spawn_file_actions_addclose(&actions_, number);
    const int copy = fcntl(static_cast<int>(fd), F_DUPFD_CLOEXEC, 3);
    if (copy < 0) return errno;
    copies_.push_back(copy);
    return posix_spawn_file_actions_adddup2(&actions_, copy, number);
  }

  int Directory(const char* path) { return posix_spawn_file_actions_addchdir_np(&actions_, path); }

  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
  std::vector<int> copies_;
};

}  // namespace

extern "C" {

// The process's number. The lists are as in Strings; directory may be empty, and so may the
// environment, which has_environment says.
int64_t tn_child_create(const char* command, int64_t command_length, const char* arguments,
                        int64_t arguments_length, int64_t has_environment, const char* environment,
                        int64_t environment_length, const char* directory, int64_t directory_length,
                        int64_t in, int64_t out, int64_t error) {
  const std::string program(command, static_cast<size_t>(command_length));
  const std::string working_directory(directory, static_cast<size_t>(directory_length));
  std::vector<char*> argv = Strings(arguments, arguments_length);
  std::vector<char*> envp = Strings(environment, environment_length);
  const Attributes attributes;
  Actions actions;
  int failure = actions.Standard(0, in);
  if (failure == 0) failure = actions.Standard(1, out);
  if (failure == 0) failure = actions.Standard(2, error);
  if (failure == 0 && !working_directory.empty()) {
    failure = actions.Directory(working_directory.c_str());
  }
  pid_t process = 0;
  if (failure == 0) {
    tenure::runtime::LeaveSharedProcessor();
    failure = posix_spawnp(&process, program.c_str(), actions.get(), attributes.get(), argv.data(),
                           has_environment != 0 ? envp.data() : environ);
  }
  return failure == 0 ? process : -failure;
}

// Waits for the process's end: its exit status, or 128 and the number of the signal that ended it.
int64_t tn_child_wait(int64_t process) {
  int status = 0;
  while (waitpid(static_cast<pid_t>(process), &status, 0) < 0) {
    if (errno != EINTR) return -errno;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int64_t tn_register_fork_handlers(void (*prepare)(), void (*parent)(), void (*child)()) {
  return pthread_atfork(prepare, parent, child);
}

int64_t tn_fork() { return fork(); }

int64_t tn_pipe_open(int64_t* read_end, int64_t* write_end) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -errno;
  *read_end = ends[0];
  *write_end = ends[1];
  return 0;
}

// 0 host name, 1 processor, 2 system, 3 its version, 4 user, 5 home directory; "" if not known.
Ref tn_system_fact(int64_t which) {
  if (which < 4) {
    utsname name;
    if (uname(&name) != 0) return NewText("");
    const char* const facts[] = {name.nodename, name.machine, name.sysname, name.release};
    return NewText(facts[which]);
  }
  const char* value = which == 5 ? std::getenv("HOME") : nullptr;
  passwd entry;
  passwd* found = nullptr;
  std::vector<char> buffer(4096);
  if (value == nullptr &&
      getpwuid_r(geteuid(), &entry, buffer.data(), buffer.size(), &found) == 0 &&
      found != nullptr) {
    value = which == 4 ? found->pw_name : found->pw_dir;
  }
  return NewText(value == nullptr ? "" : value);
}

}  // extern "C"
