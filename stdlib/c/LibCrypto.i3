(* Some of the C library libcrypto of OpenSSL. For programs there are Hash, Hmac, Password and
   RandomBytes. *)
<*LIBRARY "crypto", "libssl-dev"*>
UNSAFE INTERFACE LibCrypto;

FROM Ctypes IMPORT const_char_star, int, unsigned_int;

(* A size_t is an INTEGER here. Where nothing else is said, 1 means success; the reason of a failure
   is in the calling thread's queue of errors. *)

<*EXTERNAL "EVP_get_digestbyname"*> PROCEDURE get_digest(name: const_char_star): ADDRESS;
<*EXTERNAL "EVP_MD_CTX_new"*> PROCEDURE md_new(): ADDRESS;
<*EXTERNAL "EVP_MD_CTX_free"*> PROCEDURE md_free(context: ADDRESS);
<*EXTERNAL "EVP_DigestInit_ex"*> PROCEDURE digest_init(context, digest, engine: ADDRESS): int;
<*EXTERNAL "EVP_DigestUpdate"*> PROCEDURE digest_update(context, from: ADDRESS; bytes: INTEGER): int;
<*EXTERNAL "EVP_DigestFinal_ex"*>
PROCEDURE digest_final(context, to: ADDRESS; VAR bytes: unsigned_int): int;

<*EXTERNAL "PKCS5_PBKDF2_HMAC"*>
PROCEDURE pbkdf2(password: ADDRESS; passwordBytes: int; salt: ADDRESS; saltBytes, iterations: int;
                 digest: ADDRESS; keyBytes: int; key: ADDRESS): int;
<*EXTERNAL "EVP_PBE_scrypt"*>
PROCEDURE scrypt(password: ADDRESS; passwordBytes: INTEGER; salt: ADDRESS;
                 saltBytes, n, r, p, maxBytes: INTEGER; key: ADDRESS; keyBytes: INTEGER): int;

<*EXTERNAL "RAND_bytes"*> PROCEDURE rand_bytes(to: ADDRESS; bytes: int): int;

(* 0: the bytes are equal. *)
<*EXTERNAL "CRYPTO_memcmp"*> PROCEDURE memcmp(a, b: ADDRESS; bytes: INTEGER): int;

(* The first error of the calling thread's queue, which loses it; 0 if there is none. *)
<*EXTERNAL "ERR_get_error"*> PROCEDURE get_error(): INTEGER;
<*EXTERNAL "ERR_error_string_n"*> PROCEDURE error_string(error: INTEGER; VAR text: ARRAY OF CHAR);

END LibCrypto.
