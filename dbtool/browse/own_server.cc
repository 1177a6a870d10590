#include "dbtool/browse/own_server.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string_view>

namespace tenure::dbtool {

namespace {

constexpr std::string_view kReady = "serving ";

// The child's side, between fork and exec: takes no lock.
[[noreturn]] void BecomeServer(const char* directory, int output) {
  // Keys that interrupt are for browse, which ends the server in order.
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  execl("/proc/self/exe", "tenure-db", "serve", directory, nullptr);
  _exit(127);
}

}  // namespace

std::unique_ptr<OwnServer> OwnServer::Start(const std::string& directory) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return nullptr;
  const pid_t process = fork();
  if (process == 0) BecomeServer(directory.c_str(), ends[1]);
  close(ends[1]);
  if (process < 0) {
    close(ends[0]);
    return nullptr;
  }
  std::unique_ptr<OwnServer> server(new OwnServer(process, ends[0]));
  std::string said;
  char part[512];
  while (said.find(kReady) == std::string::npos || !said.ends_with('\n')) {
    const ssize_t count = read(ends[0], part, sizeof part);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return nullptr;
    said.append(part, static_cast<size_t>(count));
  }
  // The server's warnings go to the user of browse.
  const bool forwards = server->forwarder_.Start([output = ends[0]] {
    char text[512];
    while (true) {
      const ssize_t count = read(output, text, sizeof text);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) break;
      (void)!write(STDERR_FILENO, text, static_cast<size_t>(count));
    }
  });
  return forwards ? std::move(server) : nullptr;
}

OwnServer::~OwnServer() { Stop(); }

void OwnServer::Stop() {
  if (process_ <= 0) return;
  kill(process_, SIGTERM);
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = 0;
  forwarder_.Join();
  close(output_);
}

}  // namespace tenure::dbtool
