(* What the interfaces over libcrypto share. *)
UNSAFE INTERFACE HashRep;

IMPORT Hash;

(* The bytes of a text, and one more, so that they have an address. *)
PROCEDURE Bytes(t: TEXT): REF ARRAY OF CHAR;

(* libcrypto's digest. *)
PROCEDURE Digest(kind: Hash.Kind): ADDRESS RAISES {Hash.Error};

(* Raises Hash.Error with the oldest error of this thread in libcrypto, and forgets the others. *)
PROCEDURE Fail(doing: TEXT) RAISES {Hash.Error};

END HashRep.
