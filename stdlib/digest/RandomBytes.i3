(* Random bytes that nobody can predict, for keys and tokens, by OpenSSL's libcrypto (package
   libssl-dev). Random makes numbers that are fast, and the same again if wanted. Any thread may
   call these.

   Example:

       MODULE Main;
       IMPORT Fmt, Hash, Hex, IO, RandomBytes, Text;
       <*FATAL Hash.Error*>
       VAR token := Hex.Encode(RandomBytes.New(16));
       BEGIN
         IO.Put(Fmt.Int(Text.Length(token)) & "\n");
       END Main.

   It prints

       32
*)
INTERFACE RandomBytes;

IMPORT Hash;

(* A text of n bytes; fills an array. Raise Hash.Error if the system gives no randomness. *)
PROCEDURE New(n: CARDINAL): TEXT RAISES {Hash.Error};
PROCEDURE Fill(VAR a: ARRAY OF CHAR) RAISES {Hash.Error};

END RandomBytes.
