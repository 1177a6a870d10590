// The certificates by which one side of a TLS connection identifies itself, and checks the other.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/result.h"
#include "store/network/tls_library.h"

namespace tenure::store {

// Files in PEM form.
struct TlsFiles {
  std::string ca;           // who is trusted to name the other side
  std::string certificate;  // its own, and those between it and the CA
  std::string key;
};

enum class TlsSide : uint8_t { kClient, kServer };

// TLS 1.3; both sides must show a certificate of the CA. Any thread.
class TlsContext {
 public:
  // kNotFound, kPermission, kInvalidArgument: a file is missing or makes no sense; the text names
  // it.
  static Result<std::shared_ptr<const TlsContext>> Load(const TlsFiles& files, TlsSide side);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  const TlsLibrary& library() const { return library_; }
  SSL_CTX* get() const { return context_; }
  TlsSide side() const { return side_; }
  // kInvalidArgument: the certificate is not valid yet, or not any more, by this machine's clock,
  // so the other side refuses each connection. The text has the file and the date.
  Status CheckTime() const;
  // The common name (CN) in the certificate; empty: there is none.
  std::string subject() const;

 private:
  TlsContext(const TlsLibrary& library, SSL_CTX* context, TlsSide side, std::string certificate)
      : library_(library), context_(context), side_(side), certificate_(std::move(certificate)) {}

  const TlsLibrary& library_;
  SSL_CTX* const context_;
  const TlsSide side_;
  const std::string certificate_;  // the file
};

// The common name (CN) of the certificate; empty: there is none that is a text.
std::string CommonNameOf(const TlsLibrary& library, const X509* certificate);

// OpenSSL's text about this thread's last failure.
std::string TlsErrorText(const TlsLibrary& library);

}  // namespace tenure::store
