#include "store/remote/remote_connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "store/format/status_text.h"
#include "store/remote/server_away.h"

namespace tenure::store {

Result<Greeting> Greet(int socket, const Uuid& serving, const std::string& place) {
  const timeval patience = {kAnswerSeconds, 0};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  const auto silent = [&](ServerCall call) {
    return CallFailure(call, errno, "the page server of " + place + " does not answer");
  };
  Writer hello;
  hello.Put(kProtocolVersion);
  hello.Put(serving);
  if (!SendMessage(socket, MessageKind::kHello, 0, hello.bytes())) return silent(ServerCall::kSend);
  Message answer;
  int session_file = -1;
  if (!ReceiveMessage(socket, &answer, kMessageBytesMax, &session_file)) {
    return silent(ServerCall::kReceive);
  }
  Greeting greeting;
  greeting.session_file = NotedSocket(session_file);
  Reader reader(answer.body);
  TN_RETURN_IF_ERROR(reader.GetStatus());
  greeting.uuid = reader.Get<Uuid>();
  greeting.lineage = reader.Get<uint64_t>();
  greeting.serving = reader.Get<Uuid>();
  greeting.version = reader.Get<uint64_t>();
  if (!reader.AtEnd()) return BadAnswer();
  return greeting;
}

Status RemoteConnection::Start(const std::string& place, std::function<void()> receive,
                               std::function<void()> answer) {
  if (!turns_.Open(link_.socket.get())) {
    return Failure(StatusCode::kIo, "no descriptor is left for the page server of " + place);
  }
  if (!receiver_.Start(std::move(receive)) || !answerer_.Start(std::move(answer))) {
    return Failure(StatusCode::kNoMemory, "no thread can be made for the page server of " + place);
  }
  return Status::Ok();
}

RemoteConnection::~RemoteConnection() {
  if (!is_own()) {
    receiver_.Forget();
    answerer_.Forget();
    return;
  }
  Lose();
  WakeAnswerer();
  turns_.End();
  receiver_.Join();
  answerer_.Join();
  link_.socket.Close();
  // The last messages are on their way, and the process may end.
  if (link_.tls != nullptr) link_.tls->AwaitEnd(std::chrono::milliseconds(1000));
}

void RemoteConnection::Lose() {
  lost_ = true;
  if (is_own()) shutdown(link_.socket.get(), SHUT_RDWR);
}

bool RemoteConnection::HasEnded() const {
  pollfd source = {link_.socket.get(), POLLRDHUP, 0};
  return poll(&source, 1, 0) > 0 && (source.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

bool RemoteConnection::Send(MessageKind kind, const Writer& body, uint64_t number) {
  const MutexLock sending(send_lock_);
  ++messages_;
  return SendMessage(link_.socket.get(), kind, number, body.bytes());
}

void RemoteConnection::SendReleases() {
  if (release_.empty()) return;
  const std::vector<std::byte> release = std::exchange(release_, {});
  ++messages_;
  if (!SendMessage(link_.socket.get(), MessageKind::kRelease, 0, release)) Lose();
}

void RemoteConnection::SendRequest(MessageKind kind, uint64_t number, const Writer& body) {
  const MutexLock sending(send_lock_);
  SendReleases();
  ++messages_;
  if (!SendMessage(link_.socket.get(), kind, number, body.bytes())) Lose();
}

void RemoteConnection::SendLater(const Writer& release) {
  const MutexLock sending(send_lock_);
  release_.insert(release_.end(), release.bytes().begin(), release.bytes().end());
}

void RemoteConnection::SendWaitingRelease() {
  if (!send_lock_.try_lock()) return;
  const MutexLock sending(send_lock_, std::adopt_lock);
  SendReleases();
}

void RemoteConnection::Ping() {
  if (!send_lock_.try_lock()) return;
  const MutexLock sending(send_lock_, std::adopt_lock);
  bool sent_nothing = false;
  ++messages_;
  if (!SendMessage(link_.socket.get(), MessageKind::kPing, 0, {}, /*wait=*/false, &sent_nothing) &&
      !sent_nothing) {
    Lose();
  }
}

uint64_t RemoteConnection::BeginRequest(bool awaits_answer) {
  if (awaits_answer) answers_[last_number_ + 1];
  return ++last_number_;
}

void RemoteConnection::Answer(Message message) {
  const auto waiting = answers_.find(message.number);
  if (waiting != answers_.end()) waiting->second = std::move(message);
}

std::optional<Message> RemoteConnection::EndRequest(uint64_t number) {
  Message answer = std::move(answers_.extract(number).mapped());
  return answer.number == number ? std::optional(std::move(answer)) : std::nullopt;
}

void RemoteConnection::AddCallback(Callback callback) {
  const MutexLock guard(callback_lock_);
  callback.number = ++last_callback_;
  callbacks_.push_back(callback);
  called_.notify_one();
}

std::optional<RemoteConnection::Callback> RemoteConnection::AwaitCallback() {
  MutexLock guard(callback_lock_);
  called_.wait(guard, [&]() TN_REQUIRES(callback_lock_) { return lost_ || !callbacks_.empty(); });
  return lost_ ? std::nullopt : std::optional(callbacks_.front());
}

bool RemoteConnection::HasCallbacks() const {
  const MutexLock guard(callback_lock_);
  return !callbacks_.empty();
}

bool RemoteConnection::IsFirst(const Callback& callback) const {
  const MutexLock guard(callback_lock_);
  return !callbacks_.empty() && callbacks_.front().number == callback.number;
}

void RemoteConnection::DropFirst() {
  const MutexLock guard(callback_lock_);
  callbacks_.pop_front();
}

std::deque<RemoteConnection::Callback> RemoteConnection::TakeCallbacks() {
  const MutexLock guard(callback_lock_);
  return std::exchange(callbacks_, {});
}

void RemoteConnection::PutBack(const std::deque<Callback>& callbacks) {
  const MutexLock guard(callback_lock_);
  callbacks_.insert(callbacks_.begin(), callbacks.begin(), callbacks.end());
  // The thread of callbacks need not wake up without one.
  if (!callbacks_.empty()) called_.notify_one();
}

void RemoteConnection::WakeAnswerer() {
  const MutexLock guard(callback_lock_);
  called_.notify_all();
}

}  // namespace tenure::store
