#include "lab/support/lab_server.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <memory>
#include <mutex>

#include "base/worker_thread.h"
#include "lab/support/fail.h"
#include "store/bdb/bdb_page_server.h"
#include "store/remote/server_protocol.h"
#include "store/serve/page_service.h"

namespace tenure::lab {

int ServeStore(const std::string& directory) {
  // Before there are threads, which inherit the mask.
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGTERM);
  sigaddset(&ending, SIGINT);
  pthread_sigmask(SIG_BLOCK, &ending, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  store::BdbOptions options;
  options.redo = true;
  const std::unique_ptr<store::PageServer> server = Check(
      store::BdbPageServer::Open(directory, store::OpenMode::kOpen, options), "open the store");
  store::PageService service(*server, directory);
  service.TrustContents();
  Check(service.Start(), "serve the store");
  const int listener = store::ListenAtStore(directory);
  if (listener < 0) Fail("cannot listen at the store's socket");
  const int signals = signalfd(-1, &ending, SFD_CLOEXEC);
  std::mutex lock;
  std::condition_variable changed;
  int running = 0;
  std::printf("serving %s\n", directory.c_str());
  std::fflush(stdout);
  pollfd sources[2] = {{listener, POLLIN, 0}, {signals, POLLIN, 0}};
  while (true) {
    if (poll(sources, 2, -1) < 0 && errno != EINTR) break;
    if ((sources[1].revents & POLLIN) != 0) break;
    if ((sources[0].revents & POLLIN) == 0) continue;
    const int connection = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    {
      const std::lock_guard guard(lock);
      ++running;
    }
    const bool serves = WorkerThread::StartDetached([&, connection] {
      service.Serve(connection);
      const std::lock_guard guard(lock);
      --running;
      changed.notify_all();
    });
    if (!serves) Fail("no thread can be made for a client");
  }
  static_cast<void>(store::RemoveSocket(directory));
  close(listener);
  {
    std::unique_lock guard(lock);
    while (running > 0) {
      service.CutOffAll();
      changed.wait_for(guard, std::chrono::milliseconds(100));
    }
  }
  service.Stop();
  Check(server->Close(), "close the store");
  return 0;
}

}  // namespace tenure::lab
