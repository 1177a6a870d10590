(* Cryptographic hashes, by OpenSSL's libcrypto (package libssl-dev). What is hashed, and a digest,
   is a text of bytes: all characters are in CHAR, or it is a checked run-time error. Hex.Encode
   makes digits of a digest. SHA1 is for old formats: it resists no attack any more.

   Example:

       MODULE Main;
       IMPORT Hash, Hex, IO;
       <*FATAL Hash.Error*>
       VAR h := NEW(Hash.T).init(Hash.Kind.SHA3_256);
       BEGIN
         IO.Put(Hex.Encode(Hash.OfText(Hash.Kind.SHA1, "abc")) & "\n");
         h.put("a");
         h.put("bc");
         IO.Put(Hex.Encode(h.result()) & "\n");
       END Main.

   It prints

       a9993e364706816aba3e25717850c26c9cd0d89d
       3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532
*)
INTERFACE Hash;

IMPORT Rd, Thread;

TYPE
  Kind = {SHA1, SHA224, SHA256, SHA384, SHA512, SHA512_256, SHA3_224, SHA3_256, SHA3_384, SHA3_512,
          BLAKE2b,  (* of 64 bytes *)
          BLAKE2s   (* of 32 bytes *)};

  (* The hash of what is put piece by piece; used by one thread at a time. Not saved in
     databases. *)
  T <: Public;
  Public = <*TRANSIENT*> ROOT OBJECT METHODS
    (* Starts anew. *)
    init(kind: Kind): T RAISES {Error};
    put(t: TEXT) RAISES {Error};
    putChars(READONLY a: ARRAY OF CHAR) RAISES {Error};

    (* The digest of all that was put. The hash has ended: only init may follow. *)
    result(): TEXT RAISES {Error};
  END;

CONST
  (* The bytes of a digest. *)
  Size = ARRAY Kind OF CARDINAL{20, 28, 32, 48, 64, 32, 28, 32, 48, 64, 64, 32};

EXCEPTION
  (* What libcrypto says: it has no memory, or its configuration forbids this hash. *)
  Error(TEXT);

(* The digest of a text, and of the rest of a reader. *)
PROCEDURE OfText(kind: Kind; t: TEXT): TEXT RAISES {Error};
PROCEDURE OfReader(kind: Kind; rd: Rd.T): TEXT RAISES {Error, Rd.Failure, Thread.Alerted};

(* Whether the texts are equal, in a time that depends only on their lengths: for digests and other
   secrets that someone else may guess at. *)
PROCEDURE Equal(a, b: TEXT): BOOLEAN;

END Hash.
