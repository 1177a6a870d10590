#include "store/serve/serve_connections.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include "base/mutex.h"
#include "base/worker_thread.h"
#include "store/remote/server_protocol.h"

namespace tenure::store {

namespace {

struct Threads {
  Mutex lock;
  CondVar changed;
  int running TN_GUARDED_BY(lock) = 0;
};

}  // namespace

void ServeConnections(PageService& service, const std::string& directory, int listener,
                      int ending) {
  Threads threads;
  pollfd sources[2] = {{listener, POLLIN, 0}, {ending, POLLIN, 0}};
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
      const MutexLock guard(threads.lock);
      ++threads.running;
    }
    const bool serves = WorkerThread::StartDetached([&service, &threads, connection] {
      service.Serve(connection);
      const MutexLock guard(threads.lock);
      --threads.running;
      threads.changed.notify_all();
    });
    if (serves) continue;
    // The program that asks finds the connection closed, and says so.
    close(connection);
    const MutexLock guard(threads.lock);
    --threads.running;
  }
  static_cast<void>(RemoveSocket(directory));
  close(listener);
  MutexLock guard(threads.lock);
  while (threads.running > 0) {
    service.CutOffAll();
    threads.changed.wait_for(guard, std::chrono::milliseconds(100));
  }
}

}  // namespace tenure::store
