UNSAFE MODULE Hash EXPORTS Hash, HashRep;

IMPORT Ctypes, LibCrypto, M3toC, Rd, Text, Thread, WeakRef;

CONST
  Names = ARRAY Kind OF TEXT{"SHA1", "SHA224", "SHA256", "SHA384", "SHA512", "SHA512-256",
                             "SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512", "BLAKE2b512",
                             "BLAKE2s256"};
  Weight = 512;  (* about what a context of libcrypto needs *)
  Piece = 65536;

REVEAL
  T = Public BRANDED "Hash.T" OBJECT
      kind := Kind.SHA256;
      context: ADDRESS := NIL;  (* NIL: the hash has ended *)
      isFreed := FALSE;         (* whatever happens: by a clean-up, or by who made it *)
      (* So that the collector knows what it can free. *)
      weight: REF ARRAY OF CHAR := NIL;
    OVERRIDES
      init := Init;
      put := Put;
      putChars := PutChars;
      result := Result;
    END;

PROCEDURE Init(h: T; kind: Kind): T RAISES {Error} =
  VAR digest := Digest(kind);
  BEGIN
    IF NOT h.isFreed THEN
      h.isFreed := TRUE;
      h.weight := NEW(REF ARRAY OF CHAR, Weight);
      EVAL WeakRef.FromRef(h, CleanUp);
    END;
    IF h.context = NIL THEN h.context := LibCrypto.md_new() END;
    h.kind := kind;
    IF h.context = NIL OR LibCrypto.digest_init(h.context, digest, NIL) # 1 THEN
      Fail("Hash.T.init");
    END;
    RETURN h;
  END Init;

PROCEDURE CleanUp(<*UNUSED*> READONLY w: WeakRef.T; r: REFANY) =
  BEGIN
    End(r);
  END CleanUp;

PROCEDURE End(h: T) =
  BEGIN
    LibCrypto.md_free(h.context);
    h.context := NIL;
  END End;

PROCEDURE Put(h: T; t: TEXT) RAISES {Error} =
  VAR a: REF ARRAY OF CHAR;  at: CARDINAL := 0;  length := Text.Length(t);
  BEGIN
    a := NEW(REF ARRAY OF CHAR, MIN(length, Piece));
    WHILE at < length DO
      WITH n = MIN(length - at, Piece) DO
        Text.SetChars(SUBARRAY(a^, 0, n), t, at);
        PutChars(h, SUBARRAY(a^, 0, n));
        INC(at, n);
      END;
    END;
  END Put;

PROCEDURE PutChars(h: T; READONLY a: ARRAY OF CHAR) RAISES {Error} =
  BEGIN
    <*ASSERT h.context # NIL WITH "Hash.T: the hash has ended or was not initialized"*>
    IF NUMBER(a) > 0 AND LibCrypto.digest_update(h.context, ADR(a[0]), NUMBER(a)) # 1 THEN
      Fail("Hash.T.put");
    END;
    (* Until here `h` is in use, so that its clean-up does not free the context. *)
    <*ASSERT h.context # NIL*>
  END PutChars;

PROCEDURE Result(h: T): TEXT RAISES {Error} =
  VAR a: ARRAY [0 .. 63] OF CHAR;  n: Ctypes.unsigned_int := 0;
  BEGIN
    <*ASSERT h.context # NIL WITH "Hash.T: the hash has ended or was not initialized"*>
    TRY
      IF LibCrypto.digest_final(h.context, ADR(a[0]), n) # 1 THEN Fail("Hash.T.result") END;
    FINALLY
      End(h);
    END;
    <*ASSERT n = Size[h.kind]*>
    RETURN Text.FromChars(SUBARRAY(a, 0, n));
  END Result;

PROCEDURE OfText(kind: Kind; t: TEXT): TEXT RAISES {Error} =
  VAR h := NEW(T, isFreed := TRUE).init(kind);
  BEGIN
    TRY
      h.put(t);
      RETURN h.result();
    FINALLY
      End(h);
    END;
  END OfText;

PROCEDURE OfReader(kind: Kind; rd: Rd.T): TEXT RAISES {Error, Rd.Failure, Thread.Alerted} =
  VAR h := NEW(T, isFreed := TRUE).init(kind);  a := NEW(REF ARRAY OF CHAR, Piece);  n: CARDINAL;
  BEGIN
    TRY
      REPEAT
        n := Rd.GetSub(rd, a^);
        h.putChars(SUBARRAY(a^, 0, n));
      UNTIL n = 0;
      RETURN h.result();
    FINALLY
      End(h);
    END;
  END OfReader;

PROCEDURE Equal(a, b: TEXT): BOOLEAN =
  VAR x := Bytes(a);  y := Bytes(b);
  BEGIN
    IF NUMBER(x^) # NUMBER(y^) THEN RETURN FALSE END;
    RETURN LibCrypto.memcmp(ADR(x[0]), ADR(y[0]), NUMBER(x^)) = 0;
  END Equal;

(* --- HashRep *)

PROCEDURE Bytes(t: TEXT): REF ARRAY OF CHAR =
  VAR a := NEW(REF ARRAY OF CHAR, Text.Length(t) + 1);
  BEGIN
    Text.SetChars(a^, t);
    RETURN a;
  END Bytes;

PROCEDURE Digest(kind: Kind): ADDRESS RAISES {Error} =
  VAR digest := LibCrypto.get_digest(M3toC.FlatTtoS(Names[kind]));
  BEGIN
    IF digest = NIL THEN Fail("Hash " & Names[kind]) END;
    RETURN digest;
  END Digest;

PROCEDURE Fail(doing: TEXT) RAISES {Error} =
  VAR a: ARRAY [0 .. 255] OF CHAR;  error := LibCrypto.get_error();
  BEGIN
    IF error = 0 THEN RAISE Error(doing & ": libcrypto failed and gave no reason") END;
    LibCrypto.error_string(error, a);
    REPEAT UNTIL LibCrypto.get_error() = 0;
    RAISE Error(doing & ": " & M3toC.CopyStoT(LOOPHOLE(ADR(a), Ctypes.char_star)));
  END Fail;

BEGIN
END Hash.
