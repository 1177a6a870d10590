// OpenSSL 3, loaded when a connection needs it. Programs are not linked with it: one that uses no
// cluster needs no libssl.
#pragma once

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "base/result.h"

namespace tenure::store {

// clang-format off
#define TN_TLS_FUNCTIONS(X)                                                                       \
  X(OPENSSL_init_ssl) X(TLS_client_method) X(TLS_server_method) X(SSL_CTX_new) X(SSL_CTX_free)    \
  X(SSL_CTX_ctrl) X(SSL_CTX_load_verify_file) X(SSL_CTX_use_certificate_chain_file)               \
  X(SSL_CTX_use_PrivateKey_file) X(SSL_CTX_check_private_key) X(SSL_CTX_set_verify)               \
  X(SSL_CTX_set_default_passwd_cb) X(SSL_CTX_set_num_tickets) X(SSL_new) X(SSL_free)              \
  X(SSL_ctrl) X(SSL_set_bio) X(SSL_set_connect_state) X(SSL_set_accept_state)                     \
  X(SSL_do_handshake) X(SSL_is_init_finished) X(SSL_read) X(SSL_write) X(SSL_shutdown)            \
  X(SSL_get_error) X(SSL_get_verify_result) X(SSL_get1_peer_certificate) X(SSL_set1_host)         \
  X(SSL_get0_param) X(X509_VERIFY_PARAM_set1_ip_asc) X(X509_verify_cert_error_string)             \
  X(SSL_CTX_get0_certificate) X(X509_get_subject_name) X(X509_NAME_get_text_by_NID) X(X509_free)  \
  X(X509_get0_notBefore) X(X509_get0_notAfter) X(ASN1_TIME_to_tm) X(BIO_new) X(BIO_s_mem)         \
  X(BIO_read) X(BIO_write) X(BIO_ctrl_pending) X(ERR_get_error) X(ERR_clear_error)                \
  X(ERR_reason_error_string)
// clang-format on

// The functions, by OpenSSL's names.
struct TlsLibrary {
#define TN_TLS_MEMBER(name) decltype(&::name) name = nullptr;
  TN_TLS_FUNCTIONS(TN_TLS_MEMBER)
#undef TN_TLS_MEMBER
};

// Loads libssl.so.3 the first time. kNotSupported: it is not installed. Any thread.
Result<const TlsLibrary*> LoadTlsLibrary();

}  // namespace tenure::store
