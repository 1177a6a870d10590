(* Some of the C library libssl of OpenSSL. For programs there is Tls. *)
<*LIBRARY "ssl", "libssl-dev"*> <*LIBRARY "crypto", "libssl-dev"*>
UNSAFE INTERFACE LibSsl;

FROM Ctypes IMPORT const_char_star, int, long;

CONST
  CTRL_SET_TLSEXT_HOSTNAME = 55;
  CTRL_SET_MIN_PROTO_VERSION = 123;
  TLS1_2 = 16_303;
  OP_NO_RENEGOTIATION = 16_40000000;
  VERIFY_PEER = 1;
  FILETYPE_PEM = 1;

  (* Results of get_error. *)
  ERROR_WANT_READ = 2;
  ERROR_ZERO_RETURN = 6;

(* Where nothing else is said, 1 means success; the reason of a failure is in the calling thread's queue
   of errors (LibCrypto.get_error). *)
<*EXTERNAL "TLS_client_method"*> PROCEDURE client_method(): ADDRESS;
<*EXTERNAL "TLS_server_method"*> PROCEDURE server_method(): ADDRESS;
<*EXTERNAL "SSL_CTX_new"*> PROCEDURE context_new(method: ADDRESS): ADDRESS;
<*EXTERNAL "SSL_CTX_free"*> PROCEDURE context_free(context: ADDRESS);
<*EXTERNAL "SSL_CTX_ctrl"*>
PROCEDURE context_ctrl(context: ADDRESS; command: int; number: long; address: ADDRESS): long;
<*EXTERNAL "SSL_CTX_set_options"*> PROCEDURE context_set_options(context: ADDRESS; options: long): long;
<*EXTERNAL "SSL_CTX_set_verify"*> PROCEDURE context_set_verify(context: ADDRESS; mode: int; callback: ADDRESS);
<*EXTERNAL "SSL_CTX_set_default_verify_paths"*> PROCEDURE context_default_paths(context: ADDRESS): int;
<*EXTERNAL "SSL_CTX_load_verify_locations"*>
PROCEDURE context_load_locations(context: ADDRESS; file, directory: const_char_star): int;
<*EXTERNAL "SSL_CTX_use_certificate_chain_file"*>
PROCEDURE context_use_chain(context: ADDRESS; file: const_char_star): int;
<*EXTERNAL "SSL_CTX_use_PrivateKey_file"*>
PROCEDURE context_use_key(context: ADDRESS; file: const_char_star; type: int): int;

<*EXTERNAL "SSL_new"*> PROCEDURE new(context: ADDRESS): ADDRESS;
<*EXTERNAL "SSL_free"*> PROCEDURE free(ssl: ADDRESS);
<*EXTERNAL "SSL_ctrl"*>
PROCEDURE ctrl(ssl: ADDRESS; command: int; number: long; address: ADDRESS): long;
<*EXTERNAL "SSL_set1_host"*> PROCEDURE set1_host(ssl: ADDRESS; name: const_char_star): int;
<*EXTERNAL "SSL_get0_param"*> PROCEDURE get0_param(ssl: ADDRESS): ADDRESS;
<*EXTERNAL "X509_VERIFY_PARAM_set1_ip_asc"*>
PROCEDURE param_set1_ip(param: ADDRESS; ip: const_char_star): int;
<*EXTERNAL "SSL_set_connect_state"*> PROCEDURE set_connect_state(ssl: ADDRESS);
<*EXTERNAL "SSL_set_accept_state"*> PROCEDURE set_accept_state(ssl: ADDRESS);
<*EXTERNAL "SSL_set_bio"*> PROCEDURE set_bio(ssl, reading, writing: ADDRESS);
<*EXTERNAL "SSL_do_handshake"*> PROCEDURE do_handshake(ssl: ADDRESS): int;
<*EXTERNAL "SSL_read"*> PROCEDURE read(ssl, to: ADDRESS; bytes: int): int;
<*EXTERNAL "SSL_write"*> PROCEDURE write(ssl, from: ADDRESS; bytes: int): int;
<*EXTERNAL "SSL_shutdown"*> PROCEDURE shutdown(ssl: ADDRESS): int;
<*EXTERNAL "SSL_get_error"*> PROCEDURE get_error(ssl: ADDRESS; result: int): int;
<*EXTERNAL "SSL_get_verify_result"*> PROCEDURE get_verify_result(ssl: ADDRESS): long;  (* 0: good *)
<*EXTERNAL "X509_verify_cert_error_string"*> PROCEDURE verify_error_string(code: long): const_char_star;

(* Bytes in memory; read returns -1 if there are none. *)
<*EXTERNAL "BIO_s_mem"*> PROCEDURE bio_memory(): ADDRESS;
<*EXTERNAL "BIO_new"*> PROCEDURE bio_new(method: ADDRESS): ADDRESS;
<*EXTERNAL "BIO_read"*> PROCEDURE bio_read(bio, to: ADDRESS; bytes: int): int;
<*EXTERNAL "BIO_write"*> PROCEDURE bio_write(bio, from: ADDRESS; bytes: int): int;
<*EXTERNAL "ERR_clear_error"*> PROCEDURE clear_error();

END LibSsl.
