#include "store/network/tls_link.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/mutex.h"
#include "base/worker_thread.h"
#include "store/files/closed_in_child.h"
#include "store/format/status_text.h"
#include "store/network/tcp.h"

namespace tenure::store {

namespace {

constexpr size_t kStep = 16 << 10;  // a record of TLS has as much at most
// More than this is not taken from one side before the other has taken it.
constexpr size_t kBufferMost = 1 << 20;
constexpr std::chrono::seconds kHandshakePatience(10);
// The time for the other side to receive the last bytes and close the connection.
constexpr std::chrono::milliseconds kFinishPatience(1000);

void Note(ClosedInChild& sockets, int socket) TN_REQUIRES(sockets.mutex) {
  sockets.descriptors.insert(socket);
}

void CloseNoted(int socket) {
  ClosedInChild& sockets = DescriptorsClosedInChild();
  const MutexLock guard(sockets.mutex);
  if (sockets.descriptors.erase(socket) != 0) close(socket);
}

// Sends the beginning of the text, as much as goes at once, and removes it. False with errno: the
// socket is of no more use.
bool SendSome(int socket, std::string* text) {
  size_t sent = 0;
  while (sent < text->size()) {
    const ssize_t count =
        send(socket, text->data() + sent, text->size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) break;
    if (count <= 0) return false;
    sent += static_cast<size_t>(count);
  }
  text->erase(0, sent);
  return true;
}

}  // namespace

Result<std::shared_ptr<TlsLink>> TlsLink::Start(std::shared_ptr<const TlsContext> context, int tcp,
                                                const std::string& host, int* local) {
  const TlsLibrary& tls = context->library();
  int pair[2];
  {
    ClosedInChild& sockets = DescriptorsClosedInChild();
    const MutexLock guard(sockets.mutex);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
      const int error = errno;
      close(tcp);
      return SystemFailure(error, "cannot make a socket");
    }
    Note(sockets, tcp);
    Note(sockets, pair[1]);
  }
  SSL* const ssl = tls.SSL_new(context->get());
  const std::shared_ptr<TlsLink> link(new TlsLink(std::move(context), tcp, pair[1], ssl));
  const auto failed = [&](Status status) {
    close(pair[0]);
    return status;
  };
  if (ssl == nullptr || link->cipher_ == nullptr) {
    return failed(Status(StatusCode::kNoMemory, "no memory for TLS"));
  }
  if (link->context_->side() == TlsSide::kServer) {
    tls.SSL_set_accept_state(ssl);
  } else {
    tls.SSL_set_connect_state(ssl);
    bool named = false;
    if (IsAddress(host)) {
      named = tls.X509_VERIFY_PARAM_set1_ip_asc(tls.SSL_get0_param(ssl), host.c_str()) == 1;
    } else {
      named = tls.SSL_set1_host(ssl, host.c_str()) == 1 &&
              tls.SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                           const_cast<char*>(host.c_str())) == 1;
    }
    if (!named) {
      return failed(Failure(StatusCode::kInvalidArgument, "'" + host + "' names no host"));
    }
  }
  if (!WorkerThread::StartDetached([link] { link->Run(); })) {
    return failed(Status(StatusCode::kNoMemory, "no thread can be made for a connection"));
  }
  *local = pair[0];
  return link;
}

TlsLink::TlsLink(std::shared_ptr<const TlsContext> context, int tcp, int inner, SSL* ssl)
    : context_(std::move(context)), tls_(context_->library()), tcp_(tcp), inner_(inner), ssl_(ssl) {
  if (ssl == nullptr) return;
  from_peer_ = tls_.BIO_new(tls_.BIO_s_mem());
  cipher_ = from_peer_ == nullptr ? nullptr : tls_.BIO_new(tls_.BIO_s_mem());
  if (cipher_ != nullptr) tls_.SSL_set_bio(ssl_, from_peer_, cipher_);
}

TlsLink::~TlsLink() {
  if (ssl_ != nullptr) tls_.SSL_free(ssl_);
  CloseNoted(inner_);
  CloseNoted(tcp_);
}

Status TlsLink::AwaitHandshake(std::chrono::milliseconds patience) {
  MutexLock guard(mutex_);
  changed_.wait_for(guard, patience,
                    [&]() TN_REQUIRES(mutex_) { return state_ != State::kHandshake; });
  if (state_ == State::kOpen) return Status::Ok();
  if (!failure_.ok()) return failure_;
  return Status(StatusCode::kIo, "the other side does not complete the TLS handshake", ETIMEDOUT);
}

Status TlsLink::failure() const {
  const MutexLock guard(mutex_);
  return failure_;
}

void TlsLink::AwaitEnd(std::chrono::milliseconds patience) {
  MutexLock guard(mutex_);
  changed_.wait_for(guard, patience, [&]() TN_REQUIRES(mutex_) { return state_ == State::kEnded; });
}

void TlsLink::Fail(Status status) {
  const MutexLock guard(mutex_);
  if (failure_.ok()) failure_ = status;
}

Status TlsLink::Refused(const char* what) {
  const long verified = tls_.SSL_get_verify_result(ssl_);
  const std::string reason = TlsErrorText(tls_);
  if (verified != X509_V_OK) {
    return Failure(StatusCode::kPermission,
                   std::string("the other side's certificate is refused: ") +
                       tls_.X509_verify_cert_error_string(verified));
  }
  // An alert: the other side has refused this one.
  const size_t alert = reason.find("alert ");
  if (alert != std::string::npos) {
    return Failure(StatusCode::kPermission,
                   "the other side refuses this side's certificate: " + reason.substr(alert + 6));
  }
  return Failure(StatusCode::kIo, std::string(what) + ": " + reason, EPROTO);
}

void TlsLink::Run() {
  while (Continue()) {
  }
  Finish();
}

bool TlsLink::Continue() {
  const bool handshake = tls_.SSL_is_init_finished(ssl_) == 0;
  if (handshake) {
    if (!ContinueHandshake()) return false;
    if (std::chrono::steady_clock::now() - began_ > kHandshakePatience) {
      Fail(
          Status(StatusCode::kIo, "the other side does not complete the TLS handshake", ETIMEDOUT));
      return false;
    }
  }
  const bool open = tls_.SSL_is_init_finished(ssl_) != 0;
  if (peer_ended_ && to_user_.empty()) return false;
  short user = 0, peer = 0;
  if (open && !peer_ended_ && to_peer_.size() < kBufferMost) user |= POLLIN;
  if (!to_user_.empty()) user |= POLLOUT;
  if (!peer_ended_ && to_user_.size() < kBufferMost) peer |= POLLIN;
  if (!to_peer_.empty()) peer |= POLLOUT;
  // poll reports a closed source even if no event is asked for, so such a source is left out.
  pollfd sources[2] = {{user == 0 ? -1 : inner_, user, 0}, {peer == 0 ? -1 : tcp_, peer, 0}};
  if (poll(sources, 2, open ? -1 : 200) < 0 && errno != EINTR) return false;
  constexpr short kRead = POLLIN | POLLHUP | POLLERR;
  if ((sources[1].revents & kRead) != 0 && (peer & POLLIN) != 0 && !TakeFromPeer()) return false;
  if ((sources[0].revents & kRead) != 0 && (user & POLLIN) != 0 && !TakeFromUser()) return false;
  return SendToPeer() && SendToUser();
}

bool TlsLink::ContinueHandshake() {
  tls_.ERR_clear_error();
  const int result = tls_.SSL_do_handshake(ssl_);
  CollectCipher();
  if (result == 1) {
    if (X509* const shown = tls_.SSL_get1_peer_certificate(ssl_); shown != nullptr) {
      peer_ = CommonNameOf(tls_, shown);
      tls_.X509_free(shown);
    }
    {
      const MutexLock guard(mutex_);
      state_ = State::kOpen;
      changed_.notify_all();
    }
    // Decrypts the bytes that came together with the last message of the handshake.
    return Decrypt();
  }
  const int error = tls_.SSL_get_error(ssl_, result);
  if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) {
    if (!peer_ended_) return true;
    Fail(Status(StatusCode::kIo, "the other side has ended the TLS handshake", ECONNRESET));
    return false;
  }
  Fail(Refused("the other side does not speak TLS 1.3"));
  static_cast<void>(SendToPeer());  // the alert
  return false;
}

bool TlsLink::TakeFromPeer() {
  char bytes[kStep];
  while (to_user_.size() < kBufferMost) {
    const ssize_t count = recv(tcp_, bytes, sizeof bytes, MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return true;
    if (count < 0) {
      Fail(SystemFailure(errno, "the connection was lost"));
      return false;
    }
    if (count == 0) {
      closed_by_peer_ = true;
      peer_ended_ = true;
      return true;
    }
    if (tls_.BIO_write(from_peer_, bytes, static_cast<int>(count)) != count) {
      Fail(Status(StatusCode::kNoMemory, "no memory for TLS"));
      return false;
    }
    if (tls_.SSL_is_init_finished(ssl_) == 0) return true;
    if (!Decrypt()) return false;
  }
  return true;
}

bool TlsLink::Decrypt() {
  char bytes[kStep];
  while (true) {
    tls_.ERR_clear_error();
    const int count = tls_.SSL_read(ssl_, bytes, sizeof bytes);
    CollectCipher();
    if (count > 0) {
      to_user_.append(bytes, static_cast<size_t>(count));
      continue;
    }
    switch (tls_.SSL_get_error(ssl_, count)) {
      case SSL_ERROR_WANT_READ:
      case SSL_ERROR_WANT_WRITE: return true;
      case SSL_ERROR_ZERO_RETURN:
        closed_by_peer_ = true;
        peer_ended_ = true;
        return true;
      default: Fail(Refused("what the other side sent is not TLS")); return false;
    }
  }
}

bool TlsLink::TakeFromUser() {
  char bytes[kStep];
  const ssize_t count = recv(inner_, bytes, sizeof bytes, MSG_DONTWAIT);
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  if (count == 0) return false;
  tls_.ERR_clear_error();
  if (tls_.SSL_write(ssl_, bytes, static_cast<int>(count)) != count) {
    Fail(Refused("TLS cannot send"));
    return false;
  }
  CollectCipher();
  return true;
}

void TlsLink::CollectCipher() {
  while (const size_t pending = tls_.BIO_ctrl_pending(cipher_)) {
    const size_t before = to_peer_.size();
    to_peer_.resize(before + pending);
    const int count = tls_.BIO_read(cipher_, to_peer_.data() + before, static_cast<int>(pending));
    to_peer_.resize(before + static_cast<size_t>(count > 0 ? count : 0));
    if (count <= 0) return;
  }
}

bool TlsLink::SendToPeer() {
  if (SendSome(tcp_, &to_peer_)) return true;
  // The bytes that the other side sent before it ended, such as the reason of a refusal, are still
  // read.
  if (errno == EPIPE || errno == ECONNRESET) {
    to_peer_.clear();
    const bool took = TakeFromPeer();
    peer_ended_ = true;
    return took;
  }
  Fail(SystemFailure(errno, "the connection was lost"));
  return false;
}

bool TlsLink::SendToUser() { return SendSome(inner_, &to_user_); }

void TlsLink::Finish() {
  if (!peer_ended_ && tls_.SSL_is_init_finished(ssl_) != 0 && failure().ok()) {
    static_cast<void>(tls_.SSL_shutdown(ssl_));
    CollectCipher();
    const auto end = std::chrono::steady_clock::now() + kFinishPatience;
    bool sends = true;
    while (true) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          end - std::chrono::steady_clock::now());
      if (left.count() <= 0 || !SendSome(tcp_, &to_peer_)) break;
      if (sends && to_peer_.empty()) {
        shutdown(tcp_, SHUT_WR);
        sends = false;
      }
      pollfd source = {tcp_, static_cast<short>(POLLIN | (sends ? POLLOUT : 0)), 0};
      if (poll(&source, 1, static_cast<int>(left.count())) < 0) continue;
      char ignored[4096];
      const ssize_t count = recv(tcp_, ignored, sizeof ignored, MSG_DONTWAIT);
      if (count == 0) closed_by_peer_ = true;
      if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) break;
    }
  }
  shutdown(inner_, SHUT_RDWR);
  shutdown(tcp_, SHUT_RDWR);
  const MutexLock guard(mutex_);
  state_ = State::kEnded;
  changed_.notify_all();
}

}  // namespace tenure::store
