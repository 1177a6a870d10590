// The connection of a RemotePageServer, for the source files of this folder only.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <deque>

#include "base/worker_thread.h"
#include "store/remote/remote_page_server.h"

namespace tenure::store {

// A forked child would keep its parent's connections open beyond the parent's death: it closes
// those noted here at once.
void NoteSocket(int socket);
void CloseSocket(int socket);

// The list of all connected servers of this process. A program that uses several servers may wait
// in a cycle that no server sees.
void NoteConnected(RemotePageServer* server);
void NoteDisconnected(RemotePageServer* server);
size_t ConnectedServers();

Status BadAnswer();
// For what only one user of the store can do.
Status OnlyAlone(const char* what);

template <typename Take>
auto RemotePageServer::Ask(MessageKind kind, const Writer& body, Take&& take)
    -> Result<std::invoke_result_t<Take, Reader&>> {
  TN_ASSIGN_OR_RETURN(Message reply, Call(kind, body));
  Reader reader(reply.body);
  TN_RETURN_IF_ERROR(reader.GetStatus());
  auto answer = take(reader);
  if (!reader.AtEnd()) return BadAnswer();
  return answer;
}

template <typename Take>
auto RemotePageServer::AskAbout(DatabaseId database, MessageKind kind, Take&& take)
    -> Result<std::invoke_result_t<Take, Reader&>> {
  TN_RETURN_IF_ERROR(CheckOpen(database));
  Writer body;
  body.Put(RemoteId(database));
  return Ask(kind, body, std::forward<Take>(take));
}

struct RemotePageServer::Connection {
  struct Callback {
    uint32_t remote;
    uint64_t page;
    bool to_read;
    uint64_t number;  // of the callback, here
  };

  ~Connection() {
    if (process == getpid()) {
      lost = true;
      shutdown(socket, SHUT_RDWR);
      {
        const std::lock_guard guard(callback_lock);
        called.notify_all();
      }
      receiver.Join();
      answerer.Join();
      CloseSocket(socket);
    } else {  // a forked child has not got the threads, and the connection is its parent's
      receiver.Forget();
      answerer.Forget();
    }
  }

  int socket = -1;  // noted
  const pid_t process = getpid();
  std::atomic<bool> lost{false};
  std::mutex send_lock;
  // With the server's lock:
  std::chrono::steady_clock::time_point heard;  // when the server said something
  uint64_t last_number = 0;
  std::unordered_map<uint64_t, Message> answers;
  std::mutex callback_lock;
  std::condition_variable called;
  std::deque<Callback> callbacks;  // not answered yet
  uint64_t last_callback = 0;
  WorkerThread receiver, answerer;
};

}  // namespace tenure::store
