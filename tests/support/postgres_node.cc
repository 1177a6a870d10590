#include "tests/support/postgres_node.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include "base/check.h"

namespace tenure::testing {

namespace {

namespace fs = std::filesystem;

// PostgreSQL does not run as root.
const passwd* OrdinaryUser() {
  for (const char* name : {"postgres", "nobody"}) {
    if (const passwd* const user = getpwnam(name); user != nullptr) return user;
  }
  return nullptr;
}

pid_t StartProgram(const std::vector<std::string>& words, const std::string& directory) {
  const pid_t child = fork();
  TN_CHECK(child >= 0);
  if (child > 0) return child;
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGINT);  // ends it when the test program is killed
  const int log = open((directory + "/log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  dup2(log, 1);
  dup2(log, 2);
  if (geteuid() == 0) {
    const passwd* const user = OrdinaryUser();
    if (user == nullptr || setgroups(0, nullptr) != 0 || setgid(user->pw_gid) != 0 ||
        setuid(user->pw_uid) != 0) {
      _exit(126);
    }
    prctl(PR_SET_PDEATHSIG, SIGINT);
  }
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  _exit(127);
}

[[noreturn]] void Stop(const std::string& directory, const char* what) {
  std::fprintf(stderr, "%s; see %s/log\n", what, directory.c_str());
  std::exit(1);
}

}  // namespace

PostgresNode::PostgresNode() {
  // Debian has each version in a folder of its own. The newest is used.
  int newest = 0;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator("/usr/lib/postgresql", ignored)) {
    const int version = std::atoi(entry.path().filename().c_str());
    if (version <= newest || !fs::exists(entry.path() / "bin" / "initdb")) continue;
    newest = version;
    programs_ = (entry.path() / "bin").string();
  }
  char name[] = "/tmp/tenure-postgres-XXXXXX";
  directory_ = mkdtemp(name);
  if (programs_.empty()) Stop(directory_, "PostgreSQL is missing: apt-get install postgresql");
  if (geteuid() == 0) {
    if (const passwd* const user = OrdinaryUser(); user != nullptr) {
      TN_CHECK(chown(directory_.c_str(), user->pw_uid, user->pw_gid) == 0);
    }
  }
  const pid_t made = StartProgram(
      {programs_ + "/initdb", "-D", directory_ + "/data", "-U", "tenure", "--auth=trust",
       "--no-sync", "--encoding=UTF8", "--locale=C", "--no-instructions"},
      directory_);
  int status = 0;
  TN_CHECK(waitpid(made, &status, 0) == made);
  if (status != 0) Stop(directory_, "initdb has failed");
  Start();
}

void PostgresNode::Start() {
  server_ = StartProgram({programs_ + "/postgres", "-D", directory_ + "/data", "-k", directory_,
                          "-c", "listen_addresses=", "-c", "max_connections=40", "-c",
                          "shared_buffers=16MB", "-c", "fsync=off", "-c", "wal_level=replica"},
                         directory_);
  for (int i = 0; i < 600; ++i) {
    std::ifstream file(directory_ + "/data/postmaster.pid");
    const std::string state{std::istreambuf_iterator<char>(file), {}};
    if (state.starts_with(std::to_string(server_) + "\n") &&
        state.find("\nready") != std::string::npos) {
      return;
    }
    if (waitpid(server_, nullptr, WNOHANG) != 0) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  Stop(directory_, "postgres has not started");
}

void PostgresNode::Kill(int signal) {
  // Its processes are sessions of their own; they end when the first one does.
  kill(server_, signal);
  TN_CHECK(waitpid(server_, nullptr, 0) == server_);
}

void PostgresNode::Crash() {
  Kill(SIGQUIT);  // without a checkpoint: the next start recovers from the log
  Start();
}

PostgresNode::~PostgresNode() {
  Kill(SIGINT);
  std::error_code ignored;
  fs::remove_all(directory_, ignored);
}

}  // namespace tenure::testing
