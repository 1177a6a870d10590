// The connection of a RemotePageServer to its server, for the source files of this folder only.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "base/worker_thread.h"
#include "store/network/tls_link.h"
#include "store/remote/noted_sockets.h"
#include "store/remote/receive_turns.h"
#include "store/remote/server_protocol.h"

namespace tenure::store {

struct RemoteConnection {
  struct Callback {
    uint32_t remote;
    uint64_t page;
    bool to_read;
    uint64_t number;  // of the callback, here
  };

  ~RemoteConnection() {
    if (process == getpid()) {
      lost = true;
      shutdown(socket, SHUT_RDWR);
      {
        const MutexLock guard(callback_lock);
        called.notify_all();
      }
      turns.End();
      receiver.Join();
      answerer.Join();
      CloseSocket(socket);
      // The last messages are on their way, and the process may end.
      if (tls != nullptr) tls->AwaitEnd(std::chrono::milliseconds(1000));
    } else {  // a forked child does not have the threads, and the connection is its parent's
      receiver.Forget();
      answerer.Forget();
    }
  }

  int socket = -1;               // noted
  std::shared_ptr<TlsLink> tls;  // null: the socket leads to the server itself
  const pid_t process = getpid();
  std::atomic<bool> lost{false};
  Mutex send_lock;
  // The body of a release that goes with the next request.
  std::vector<std::byte> release TN_GUARDED_BY(send_lock);
  ReceiveTurns turns;  // before the server's lock
  // With the server's lock:
  std::chrono::steady_clock::time_point heard;  // when the server said something
  uint64_t last_number = 0;
  std::unordered_map<uint64_t, Message> answers;
  Mutex callback_lock;
  CondVar called;
  std::deque<Callback> callbacks TN_GUARDED_BY(callback_lock);  // not answered yet
  uint64_t last_callback TN_GUARDED_BY(callback_lock) = 0;
  WorkerThread receiver, answerer;
};

}  // namespace tenure::store
