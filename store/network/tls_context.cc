#include "store/network/tls_context.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>

#include "store/files/descriptor.h"
#include "store/format/status_text.h"

namespace tenure::store {

namespace {

// A key that needs a password is refused: nobody is there to be asked.
int NoPassword(char*, int, int, void*) { return -1; }

Status CheckReadable(const std::string& file, const char* what, const char* option) {
  if (file.empty()) {
    return Failure(StatusCode::kInvalidArgument,
                   std::string("no file is named for ") + what + " (" + option + ")");
  }
  const Descriptor opened(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (opened.get() < 0)
    return SystemFailure(errno, std::string("cannot read ") + what + " " + file);
  struct stat info;
  if (fstat(opened.get(), &info) == 0 && S_ISREG(info.st_mode)) return Status::Ok();
  return Failure(StatusCode::kInvalidArgument, std::string(what) + " " + file + " is not a file");
}

}  // namespace

std::string TlsErrorText(const TlsLibrary& library) {
  std::string text;
  while (const unsigned long error = library.ERR_get_error()) {
    const char* const reason = library.ERR_reason_error_string(error);
    if (text.empty() && reason != nullptr) text = reason;
  }
  return text.empty() ? "it failed without a reason" : text;
}

TlsContext::~TlsContext() { library_.SSL_CTX_free(context_); }

Result<std::shared_ptr<const TlsContext>> TlsContext::Load(const TlsFiles& files, TlsSide side) {
  TN_RETURN_IF_ERROR(CheckReadable(files.ca, "the CA's certificate", "ca"));
  TN_RETURN_IF_ERROR(CheckReadable(files.certificate, "the certificate", "certificate"));
  TN_RETURN_IF_ERROR(CheckReadable(files.key, "the key", "key"));
  TN_ASSIGN_OR_RETURN(const TlsLibrary* const library, LoadTlsLibrary());
  const TlsLibrary& tls = *library;
  SSL_CTX* const made =
      tls.SSL_CTX_new(side == TlsSide::kClient ? tls.TLS_client_method() : tls.TLS_server_method());
  if (made == nullptr) return Status(StatusCode::kNoMemory, "no memory for TLS");
  const std::shared_ptr<const TlsContext> context(
      new TlsContext(tls, made, side, files.certificate));
  tls.ERR_clear_error();
  const auto wrong = [&](const std::string& file, const char* what) {
    return Failure(StatusCode::kInvalidArgument,
                   std::string(what) + " " + file + " cannot be used: " + TlsErrorText(tls));
  };
  tls.SSL_CTX_ctrl(made, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_3_VERSION, nullptr);
  // A session is never resumed: every connection shows its certificate.
  tls.SSL_CTX_set_num_tickets(made, 0);
  tls.SSL_CTX_set_default_passwd_cb(made, NoPassword);
  if (tls.SSL_CTX_load_verify_file(made, files.ca.c_str()) != 1) {
    return wrong(files.ca, "the CA's certificate");
  }
  if (tls.SSL_CTX_use_certificate_chain_file(made, files.certificate.c_str()) != 1) {
    return wrong(files.certificate, "the certificate");
  }
  if (tls.SSL_CTX_use_PrivateKey_file(made, files.key.c_str(), SSL_FILETYPE_PEM) != 1) {
    return wrong(files.key, "the key");
  }
  if (tls.SSL_CTX_check_private_key(made) != 1) {
    return Failure(StatusCode::kInvalidArgument,
                   "the key " + files.key + " is not that of the certificate " + files.certificate);
  }
  tls.SSL_CTX_set_verify(made, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  return context;
}

Status TlsContext::CheckTime() const {
  const X509* const certificate = library_.SSL_CTX_get0_certificate(context_);
  tm begin = {}, end = {};
  if (library_.ASN1_TIME_to_tm(library_.X509_get0_notBefore(certificate), &begin) != 1 ||
      library_.ASN1_TIME_to_tm(library_.X509_get0_notAfter(certificate), &end) != 1) {
    return Failure(StatusCode::kInvalidArgument,
                   "the certificate " + certificate_ + " has no readable dates");
  }
  const time_t now = time(nullptr);
  const bool is_early = now < timegm(&begin);
  if (!is_early && now <= timegm(&end)) return Status::Ok();
  char date[64];
  strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S UTC", is_early ? &begin : &end);
  return Failure(StatusCode::kInvalidArgument,
                 "the certificate " + certificate_ +
                     (is_early ? " is not valid before " : " has expired on ") + date);
}

std::string TlsContext::subject() const {
  return CommonNameOf(library_, library_.SSL_CTX_get0_certificate(context_));
}

std::string CommonNameOf(const TlsLibrary& library, const X509* certificate) {
  constexpr int kCommonName = 13;  // NID_commonName
  if (certificate == nullptr) return "";
  char name[256] = "";
  const int length = library.X509_NAME_get_text_by_NID(library.X509_get_subject_name(certificate),
                                                       kCommonName, name, sizeof name);
  // A name that contains a null character is another than the one that it looks like.
  if (length <= 0 || std::strlen(name) != static_cast<size_t>(length)) return "";
  return name;
}

}  // namespace tenure::store
