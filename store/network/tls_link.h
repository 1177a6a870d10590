// A TLS connection that its user sees as a local socket: a thread encrypts the user's bytes, and
// decrypts those of the other side. So the protocol of store/remote runs over it unchanged.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "base/result.h"
#include "store/network/tls_context.h"

namespace tenure::store {

// Any thread.
class TlsLink : public std::enable_shared_from_this<TlsLink> {
 public:
  // Begins the handshake over `tcp`, a connected socket without blocking, which is the link's from
  // now on, also when it fails. *local is the user's socket, and the user's to close; what is sent
  // there before the handshake has ended waits. `host`: of a client, whom the other side's
  // certificate must name.
  static Result<std::shared_ptr<TlsLink>> Start(std::shared_ptr<const TlsContext> context, int tcp,
                                                const std::string& host, int* local);
  ~TlsLink();

  // Waits for the end of the handshake. Not ok: it has failed, or not ended in time.
  Status AwaitHandshake(std::chrono::milliseconds patience);
  // The common name in the other side's certificate, after the handshake.
  const std::string& peer() const { return peer_; }
  // The failure that ended the link. Ok while the link lasts, and after a side has closed it.
  Status failure() const;
  // The other side has closed the connection, or its process has ended: it knows that the
  // connection is over.
  bool closed_by_peer() const { return closed_by_peer_; }
  // Waits until the link has ended, after the user has closed its socket: all has been sent.
  void AwaitEnd(std::chrono::milliseconds patience);

 private:
  enum class State : uint8_t { kHandshake, kOpen, kEnded };

  TlsLink(std::shared_ptr<const TlsContext> context, int tcp, int inner, SSL* ssl);
  void Run();
  // False: the link ends.
  bool Continue();
  bool ContinueHandshake();
  bool TakeFromPeer();
  bool TakeFromUser();
  // Decrypts all that has come.
  bool Decrypt();
  // Appends TLS's outgoing bytes to to_peer_.
  void CollectCipher();
  bool SendToPeer();
  bool SendToUser();
  void Finish();
  void Fail(Status status);
  // The failure of the handshake or of a later message.
  Status Refused(const char* what);

  const std::shared_ptr<const TlsContext> context_;
  const TlsLibrary& tls_;
  const int tcp_, inner_;  // noted
  SSL* const ssl_;         // used by the thread only, once it runs
  BIO* from_peer_ = nullptr;
  BIO* cipher_ = nullptr;
  std::string to_peer_, to_user_;
  bool peer_ended_ = false;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();

  std::string peer_;  // set before state_ becomes kOpen
  std::atomic<bool> closed_by_peer_{false};
  mutable Mutex mutex_;
  CondVar changed_;
  State state_ TN_GUARDED_BY(mutex_) = State::kHandshake;
  Status failure_ TN_GUARDED_BY(mutex_);
};

}  // namespace tenure::store
