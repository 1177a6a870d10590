(* "hash KIND BYTES", "hmac KIND KEY BYTES", "scrypt PASSWORD SALT BYTES N R P",
   "pbkdf2 KIND PASSWORD SALT BYTES ITERATIONS": the digest or key. *)
MODULE HashWitness EXPORTS Main;

IMPORT Hash, Hmac, Password, Scan, Text, Witness;

PROCEDURE Answer(READONLY w: Witness.Words): TEXT RAISES ANY =
  BEGIN
    IF Text.Equal(w[0], "hash") THEN
      RETURN Witness.Hex(Pieces(KindOf(w[1]), Witness.Bytes(w[2])));
    ELSIF Text.Equal(w[0], "hmac") THEN
      RETURN Witness.Hex(Hmac.OfText(KindOf(w[1]), Witness.Bytes(w[2]), Witness.Bytes(w[3])));
    ELSIF Text.Equal(w[0], "scrypt") THEN
      RETURN Witness.Hex(Password.Scrypt(Witness.Bytes(w[1]), Witness.Bytes(w[2]), Scan.Int(w[3]),
                                         Scan.Int(w[4]), Scan.Int(w[5]), Scan.Int(w[6])));
    ELSE
      RETURN Witness.Hex(Password.Pbkdf2(Witness.Bytes(w[2]), Witness.Bytes(w[3]), Scan.Int(w[4]),
                                         Scan.Int(w[5]), KindOf(w[1])));
    END;
  END Answer;

(* Put in two pieces, which must not differ from one. *)
PROCEDURE Pieces(kind: Hash.Kind; bytes: TEXT): TEXT RAISES ANY =
  VAR h := NEW(Hash.T).init(kind);  middle := Text.Length(bytes) DIV 3;  digest: TEXT;
  BEGIN
    h.put(Text.Sub(bytes, 0, middle));
    h.put(Text.Sub(bytes, middle));
    digest := h.result();
    <*ASSERT Text.Equal(digest, Hash.OfText(kind, bytes)) AND Text.Length(digest) = Hash.Size[kind]*>
    RETURN digest;
  END Pieces;

PROCEDURE KindOf(number: TEXT): Hash.Kind RAISES ANY =
  BEGIN
    RETURN VAL(Scan.Int(number), Hash.Kind);
  END KindOf;

BEGIN
  Witness.Run(Answer);
END HashWitness.
