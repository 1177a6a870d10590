#include "dbtool/serve.h"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <condition_variable>
#include <string>
#include <string_view>
#include <thread>

#include "stabilize/bdb_page_server.h"
#include "stabilize/page_service.h"
#include "stabilize/server_protocol.h"

namespace tenure::dbtool {

namespace {

using stabilize::BdbPageServer;
using stabilize::PageServer;
using stabilize::PageService;

int Refuse(const std::string& text) {
  std::fprintf(stderr, "tenure serve: %s\n", text.c_str());
  return 1;
}

bool OpenForGroup(const std::string& socket, const std::string& name) {
  const group* found = getgrnam(name.c_str());
  if (found == nullptr) {
    errno = EINVAL;
    return false;
  }
  return chown(socket.c_str(), static_cast<uid_t>(-1), found->gr_gid) == 0 &&
         chmod(socket.c_str(), 0660) == 0;
}

// Threads that serve connections; the store is closed when the last has ended.
struct Threads {
  std::mutex lock;
  std::condition_variable changed;
  size_t running = 0;
};

}  // namespace

int Serve(int argc, char** argv) {
  std::string directory, group_name;
  for (int i = 0; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--group" && i + 1 < argc) {
      group_name = argv[++i];
    } else if (!argument.starts_with("-") && directory.empty()) {
      directory = argument;
    } else {
      std::fprintf(stderr, "usage: tenure serve [--group GROUP] DIR\n");
      return 2;
    }
  }
  if (directory.empty()) {
    std::fprintf(stderr, "usage: tenure serve [--group GROUP] DIR\n");
    return 2;
  }

  // Before there are threads: all of them leave these to us.
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGTERM);
  sigaddset(&ending, SIGINT);
  pthread_sigmask(SIG_BLOCK, &ending, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);

  Result<std::unique_ptr<BdbPageServer>> store =
      BdbPageServer::Open(directory, stabilize::OpenMode::kOpenOrCreate, {});
  if (!store.ok()) return Refuse(store.status().text());
  const std::string socket_path = directory + "/" + stabilize::kSocketName;
  const int listener = stabilize::ListenAtStore(directory);
  if (listener < 0) return Refuse("cannot listen at " + socket_path + ": " + std::strerror(errno));
  if (!group_name.empty() && !OpenForGroup(socket_path, group_name)) {
    unlink(socket_path.c_str());
    return Refuse("cannot open " + socket_path + " for group " + group_name + ": " +
                  std::strerror(errno));
  }
  PageService service(**store);
  Threads threads;
  const int signals = signalfd(-1, &ending, SFD_CLOEXEC);
  std::printf("serving %s\n", directory.c_str());
  std::fflush(stdout);

  pollfd sources[2] = {{listener, POLLIN, 0}, {signals, POLLIN, 0}};
  while (true) {
    if (poll(sources, 2, -1) < 0 && errno != EINTR) break;
    if ((sources[1].revents & POLLIN) != 0) break;
    if ((sources[0].revents & POLLIN) == 0) continue;
    const int connection = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) {
      // No descriptors left: they come back when programs end.
      if (errno == EMFILE || errno == ENFILE) usleep(10'000);
      continue;
    }
    {
      const std::lock_guard guard(threads.lock);
      ++threads.running;
    }
    std::thread([&service, &threads, connection] {
      service.Serve(connection);
      const std::lock_guard guard(threads.lock);
      --threads.running;
      threads.changed.notify_all();
    }).detach();
  }
  unlink(socket_path.c_str());
  close(listener);
  {
    std::unique_lock guard(threads.lock);
    while (threads.running > 0) {
      service.CutOffAll();
      threads.changed.wait_for(guard, std::chrono::milliseconds(100));
    }
  }
  const Status closed = (*store)->Close();
  return closed.ok() ? 0 : Refuse(closed.text());
}

}  // namespace tenure::dbtool
