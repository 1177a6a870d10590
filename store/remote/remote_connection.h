// The connection of a RemotePageServer to its server, for the source files of this folder only.
#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "base/worker_thread.h"
#include "store/remote/noted_sockets.h"
#include "store/remote/receive_turns.h"
#include "store/remote/server_protocol.h"
#include "store/remote/server_reach.h"

namespace tenure::store {

// What a server says first.
struct Greeting {
  Uuid uuid;
  uint64_t lineage = 0;
  Uuid serving;
  uint64_t version = 0;      // of the store
  NotedSocket session_file;  // from which the server's next run learns that the program comes back
};
// Says hello over a new socket. `serving`: the run of the server that the program has used.
Result<Greeting> Greet(int socket, const Uuid& serving, const std::string& place);

// A connection that has been greeted. Threads: where nothing else is said, any thread.
class RemoteConnection {
 public:
  struct Callback {
    uint32_t remote;
    PageId page;
    bool to_read;
    uint64_t number;  // of the callback, here
  };
  using Clock = std::chrono::steady_clock;

  // Counts messages in `messages`.
  RemoteConnection(ServerLink link, std::atomic<uint64_t>& messages)
      : link_(std::move(link)), messages_(messages) {}
  ~RemoteConnection();
  // Starts a thread for each of the two, which end when the connection is lost.
  Status Start(const std::string& place, std::function<void()> receive,
               std::function<void()> answer);

  bool lost() const { return lost_; }
  void Lose();
  // A forked child has no threads for the connection, which is its parent's.
  bool is_own() const { return process_ == getpid(); }
  // Whether the server has ended the connection, even if no thread has found that out.
  bool HasEnded() const;

  // Sends a message that nobody waits for. False: it could not be sent.
  bool Send(MessageKind kind, const Writer& body = {}, uint64_t number = 0);
  // Sends a request, behind a release that waits.
  void SendRequest(MessageKind kind, uint64_t number, const Writer& body);
  // The bodies of releases that go with the next request.
  void SendLater(const Writer& release);
  // Sends them now, unless another thread is sending, which sends them as well.
  void SendWaitingRelease();
  // Sends a ping, if there is room for it at once.
  void Ping();

  ReceiveTurns& turns() { return turns_; }  // before the server's lock
  // The thread that has the turn receives.
  bool Receive(Message* message) { return ReceiveMessage(link_.socket.get(), message); }

  // --- With the server's lock: requests and their answers.

  uint64_t BeginRequest(bool awaits_answer = true);  // its number
  void NoteHeard() { heard_ = Clock::now(); }
  Clock::time_point heard() const { return heard_; }  // when the server said something
  // Drops an answer that nobody awaits.
  void Answer(Message message);
  bool IsAnswered(uint64_t number) const { return answers_.at(number).number == number; }
  std::optional<Message> EndRequest(uint64_t number);  // nothing: there is no answer

  // --- Callbacks that wait for an answer, the oldest first.

  void AddCallback(Callback callback);
  // Waits for one; nothing: the connection is lost.
  std::optional<Callback> AwaitCallback();
  bool HasCallbacks() const;
  bool IsFirst(const Callback& callback) const;
  void DropFirst();
  std::deque<Callback> TakeCallbacks();
  void PutBack(const std::deque<Callback>& callbacks);
  // The connection is lost: wakes AwaitCallback.
  void WakeAnswerer();

 private:
  void SendReleases() TN_REQUIRES(send_lock_);

  ServerLink link_;
  std::atomic<uint64_t>& messages_;
  const pid_t process_ = getpid();
  std::atomic<bool> lost_{false};
  Mutex send_lock_;
  std::vector<std::byte> release_ TN_GUARDED_BY(send_lock_);
  ReceiveTurns turns_;
  Clock::time_point heard_;
  uint64_t last_number_ = 0;
  std::unordered_map<uint64_t, Message> answers_;  // until an answer comes its number is 0
  mutable Mutex callback_lock_;
  CondVar called_;
  std::deque<Callback> callbacks_ TN_GUARDED_BY(callback_lock_);
  uint64_t last_callback_ TN_GUARDED_BY(callback_lock_) = 0;
  WorkerThread receiver_, answerer_;
};

}  // namespace tenure::store
