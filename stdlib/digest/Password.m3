UNSAFE MODULE Password;

IMPORT Hash, HashRep, Hex, LibCrypto, RandomBytes, Text, Texts;

CONST
  Prefix = "scrypt$n=32768,r=8,p=1$";
  SaltBytes = 16;
  SaltDigits = 2 * SaltBytes;
  MostBytes = 16_40000000;

PROCEDURE ToStore(password: TEXT): TEXT RAISES {Hash.Error} =
  BEGIN
    RETURN Stored(password, Hex.Encode(RandomBytes.New(SaltBytes)));
  END ToStore;

(* The digits of the salt are what is given to scrypt. *)
PROCEDURE Stored(password, salt: TEXT): TEXT RAISES {Hash.Error} =
  BEGIN
    RETURN Prefix & salt & "$" & Hex.Encode(Scrypt(password, salt));
  END Stored;

PROCEDURE Check(password, stored: TEXT): BOOLEAN RAISES {Hash.Error} =
  BEGIN
    IF Text.HasWideChars(stored) OR NOT Texts.StartsWith(stored, Prefix) THEN
      RETURN FALSE;
    END;
    RETURN Hash.Equal(Stored(password, Text.Sub(stored, Text.Length(Prefix), SaltDigits)), stored);
  END Check;

PROCEDURE Scrypt(password, salt: TEXT; bytes: CARDINAL := 32; n: CARDINAL := 32768;
                 r: CARDINAL := 8; p: CARDINAL := 1): TEXT RAISES {Hash.Error} =
  CONST Overhead = 1024 * 1024;
  VAR
    from := HashRep.Bytes(password);
    salted := HashRep.Bytes(salt);
    key := NEW(REF ARRAY OF CHAR, bytes + 1);
  BEGIN
    IF n > MostBytes OR r > 65536 OR p > 65536 OR bytes = 0 THEN
      RAISE Hash.Error("Password.Scrypt: the parameters are out of range");
    END;
    IF LibCrypto.scrypt(ADR(from[0]), LAST(from^), ADR(salted[0]), LAST(salted^), n, r, p,
                        128 * r * (n + p) + Overhead, ADR(key[0]), bytes) # 1 THEN
      HashRep.Fail("Password.Scrypt");
    END;
    RETURN Text.FromChars(SUBARRAY(key^, 0, bytes));
  END Scrypt;

PROCEDURE Pbkdf2(password, salt: TEXT; bytes, iterations: CARDINAL; kind: Hash.Kind): TEXT
  RAISES {Hash.Error} =
  VAR
    from := HashRep.Bytes(password);
    salted := HashRep.Bytes(salt);
    key := NEW(REF ARRAY OF CHAR, bytes + 1);
  BEGIN
    IF LAST(from^) > MostBytes OR LAST(salted^) > MostBytes OR bytes > MostBytes OR bytes = 0
      OR iterations = 0 OR iterations > MostBytes THEN
      RAISE Hash.Error("Password.Pbkdf2: the parameters are out of range");
    END;
    IF LibCrypto.pbkdf2(ADR(from[0]), LAST(from^), ADR(salted[0]), LAST(salted^), iterations,
                        HashRep.Digest(kind), bytes, ADR(key[0])) # 1 THEN
      HashRep.Fail("Password.Pbkdf2");
    END;
    RETURN Text.FromChars(SUBARRAY(key^, 0, bytes));
  END Pbkdf2;

BEGIN
END Password.
