(* Passwords as they may be stored, and keys made from passwords, by OpenSSL's libcrypto (package
   libssl-dev). Passwords, salts and keys are texts of bytes, as in Hash.

   Example:

       MODULE Main;
       IMPORT Fmt, Hash, IO, Password;
       <*FATAL Hash.Error*>
       VAR stored := Password.ToStore("correct horse");
       BEGIN
         IO.Put(Fmt.Bool(Password.Check("correct horse", stored)) & " "
                & Fmt.Bool(Password.Check("wrong", stored)) & "\n");
       END Main.

   It prints

       TRUE FALSE
*)
INTERFACE Password;

IMPORT Hash;

(* What to keep instead of the password: "scrypt", the parameters, a new salt of 16 random bytes and
   a key of 32 bytes, as hexadecimal digits. Takes about 0.1 seconds and 32 MB, as Check does: so
   who has got hold of the text cannot try many passwords. *)
PROCEDURE ToStore(password: TEXT): TEXT RAISES {Hash.Error};

(* Whether `stored` was made from this password. FALSE if ToStore did not make it. *)
PROCEDURE Check(password, stored: TEXT): BOOLEAN RAISES {Hash.Error};

(* A key of `bytes` bytes, by scrypt (RFC 7914) and PBKDF2 with HMAC (RFC 8018). scrypt needs 128 *
   n * r bytes of memory; n is a power of 2. The same arguments give the same key. Raise Hash.Error
   for parameters that the RFC forbids. *)
PROCEDURE Scrypt(password, salt: TEXT; bytes: CARDINAL := 32; n: CARDINAL := 32768;
                 r: CARDINAL := 8; p: CARDINAL := 1): TEXT RAISES {Hash.Error};
PROCEDURE Pbkdf2(password, salt: TEXT; bytes: CARDINAL := 32; iterations: CARDINAL := 600000;
                 kind := Hash.Kind.SHA256): TEXT RAISES {Hash.Error};

END Password.
