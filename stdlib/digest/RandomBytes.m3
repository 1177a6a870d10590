UNSAFE MODULE RandomBytes;

IMPORT Hash, HashRep, LibCrypto, Text;

CONST
  Most = 16_40000000;  (* a count of libcrypto is an int *)

PROCEDURE New(n: CARDINAL): TEXT RAISES {Hash.Error} =
  VAR a := NEW(REF ARRAY OF CHAR, n);
  BEGIN
    Fill(a^);
    RETURN Text.FromChars(a^);
  END New;

PROCEDURE Fill(VAR a: ARRAY OF CHAR) RAISES {Hash.Error} =
  VAR at: CARDINAL := 0;
  BEGIN
    WHILE at < NUMBER(a) DO
      WITH n = MIN(NUMBER(a) - at, Most) DO
        IF LibCrypto.rand_bytes(ADR(a[at]), n) # 1 THEN HashRep.Fail("RandomBytes") END;
        INC(at, n);
      END;
    END;
  END Fill;

BEGIN
END RandomBytes.
