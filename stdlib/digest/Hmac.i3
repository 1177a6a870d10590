(* Message authentication codes by hashes: HMAC (RFC 2104). Keys, messages and codes are texts of
   bytes, as in Hash; compare a code that came from elsewhere by Hash.Equal.

   Example:

       MODULE Main;
       IMPORT Hash, Hex, Hmac, IO;
       <*FATAL Hash.Error*>
       BEGIN
         IO.Put(Hex.Encode(Hmac.OfText(Hash.Kind.SHA256, "Jefe", "what do ya want for nothing?")) & "\n");
       END Main.

   It prints

       5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843
*)
INTERFACE Hmac;

IMPORT Hash;

TYPE
  (* The code of what is put piece by piece; used by one thread at a time. *)
  T <: Public;
  Public = <*TRANSIENT*> ROOT OBJECT METHODS
    (* Starts anew. *)
    init(kind: Hash.Kind; key: TEXT): T RAISES {Hash.Error};
    put(t: TEXT) RAISES {Hash.Error};
    putChars(READONLY a: ARRAY OF CHAR) RAISES {Hash.Error};

    (* The code of all that was put. Only init may follow. *)
    result(): TEXT RAISES {Hash.Error};
  END;

(* The code of a text. *)
PROCEDURE OfText(kind: Hash.Kind; key, t: TEXT): TEXT RAISES {Hash.Error};

END Hmac.
