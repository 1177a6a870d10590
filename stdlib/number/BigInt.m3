UNSAFE MODULE BigInt;

IMPORT Fmt, LibGmp, Text, Word;
FROM LibGmp IMPORT Z;

REVEAL
  (* [0]: the number of limbs, negative if the number is; then the limbs, the lowest first. *)
  T = BRANDED "BigInt.T" REF ARRAY OF INTEGER;

TYPE
  Limbs = UNTRACED REF ARRAY [0 .. 16_FFFFFF] OF INTEGER;
  Binary = PROCEDURE (VAR r: Z; READONLY a, b: Z);

CONST
  LimbBits = BITSIZE(Word.T);
  Rounds = 32;  (* GMP tests a prime this often by chance; each time one of 4 numbers passes *)

(* --- GMP's numbers *)

(* A number that GMP may read while `t` is in a variable. *)
PROCEDURE Read(t: T): Z =
  BEGIN
    (* A zero has no limbs, and [0] is a limb that GMP does not read. *)
    RETURN Z{alloc := 0, size := t[0], limbs := ADR(t[MIN(1, LAST(t^))])};
  END Read;

PROCEDURE Made(READONLY r: Z): T =
  VAR n := ABS(r.size);  t := NEW(T, n + 1);  from: ADDRESS := r.limbs;  at: CARDINAL := 0;
  BEGIN
    t[0] := r.size;
    WHILE at < n DO
      WITH part = MIN(n - at, NUMBER(LOOPHOLE(from, Limbs)^)) DO
        SUBARRAY(t^, 1 + at, part) := SUBARRAY(LOOPHOLE(from, Limbs)^, 0, part);
        INC(at, part);
        INC(from, part * BYTESIZE(INTEGER));
      END;
    END;
    RETURN t;
  END Made;

PROCEDURE Apply(p: Binary; a, b: T): T =
  VAR r: Z;  x := Read(a);  y := Read(b);
  BEGIN
    LibGmp.init(r);
    TRY
      p(r, x, y);
      (* Until here a and b are in use, so that the collector does not move them. *)
      <*ASSERT a[0] = x.size AND b[0] = y.size*>
      RETURN Made(r);
    FINALLY
      LibGmp.clear(r);
    END;
  END Apply;

PROCEDURE CheckBits(bits: INTEGER) RAISES {Error} =
  BEGIN
    IF bits >= MostBits THEN
      RAISE Error("the number would have " & Fmt.Int(bits) & " bits or more, and a number has fewer than "
                  & Fmt.Int(MostBits));
    END;
  END CheckBits;

PROCEDURE CheckDivisor(t: T) RAISES {Error} =
  BEGIN
    IF t[0] = 0 THEN RAISE Error("division by zero") END;
  END CheckDivisor;

(* --- From and to other types *)

PROCEDURE FromInt(i: INTEGER): T =
  VAR t := NEW(T, 1 + ORD(i # 0));
  BEGIN
    IF i = 0 THEN
      t[0] := 0;
    ELSIF i > 0 THEN
      t[0] := 1;
      t[1] := i;
    ELSE
      t[0] := -1;
      t[1] := Word.Minus(0, i);
    END;
    RETURN t;
  END FromInt;

PROCEDURE IsInt(t: T): BOOLEAN =
  BEGIN
    CASE t[0] OF
    | 0 => RETURN TRUE;
    | 1 => RETURN t[1] >= 0;
    | -1 => RETURN t[1] > 0 OR t[1] = FIRST(INTEGER);
    ELSE RETURN FALSE;
    END;
  END IsInt;

PROCEDURE ToInt(t: T): INTEGER RAISES {Error} =
  BEGIN
    IF NOT IsInt(t) THEN RAISE Error("the number is no INTEGER") END;
    IF t[0] = 0 THEN RETURN 0 END;
    IF t[0] > 0 THEN RETURN t[1] ELSE RETURN Word.Minus(0, t[1]) END;
  END ToInt;

PROCEDURE FromLongReal(x: LONGREAL): T RAISES {Error} =
  VAR r: Z;
  BEGIN
    IF x - x # 0.0D0 THEN RAISE Error("an infinity or NaN is no integer") END;
    LibGmp.init(r);
    TRY
      LibGmp.set_d(r, x);
      RETURN Made(r);
    FINALLY
      LibGmp.clear(r);
    END;
  END FromLongReal;

PROCEDURE ToLongReal(t: T): LONGREAL =
  CONST MostFinite = 1024;  (* bits *)
  VAR x := Read(t);  y: LONGREAL;
  BEGIN
    IF Bits(t) > MostFinite THEN
      y := 1.0D300 * FLOAT(1 + ABS(t[0]), LONGREAL);
      y := y * y;
      IF t[0] < 0 THEN y := -y END;
      RETURN y;
    END;
    y := LibGmp.get_d(x);
    <*ASSERT t[0] = x.size*>
    RETURN y;
  END ToLongReal;

PROCEDURE FromText(text: TEXT; base: Base): T RAISES {Error} =
  VAR
    length := Text.Length(text);
    digits: REF ARRAY OF CHAR;
    start := 0;
    r: Z;
  BEGIN
    IF length > 0 AND (Text.GetWideChar(text, 0) = W'-' OR Text.GetWideChar(text, 0) = W'+') THEN
      start := 1;
    END;
    IF start = length THEN RAISE Error("a number has digits") END;
    FOR i := start TO length - 1 DO
      IF ValueOf(Text.GetWideChar(text, i)) >= base THEN
        RAISE Error("the character at position " & Fmt.Int(i) & " is no digit of base " & Fmt.Int(base));
      END;
    END;
    (* A digit of base 2 has one bit, and no digit has more than 6. *)
    IF length > MostBits DIV 6 THEN CheckBits(6 * length) END;
    (* GMP knows no +. *)
    IF Text.GetWideChar(text, 0) = W'+' THEN text := Text.Sub(text, 1) END;
    digits := NEW(REF ARRAY OF CHAR, length + 1);
    FOR i := 0 TO Text.Length(text) - 1 DO
      digits[i] := VAL(ORD(Text.GetWideChar(text, i)), CHAR);
    END;
    digits[Text.Length(text)] := '\000';
    LibGmp.init(r);
    TRY
      WITH result = LibGmp.set_str(r, ADR(digits[0]), base) DO <*ASSERT result = 0*> END;
      RETURN Made(r);
    FINALLY
      LibGmp.clear(r);
    END;
  END FromText;

(* Of a digit; LAST(Base) of another character. *)
PROCEDURE ValueOf(c: WIDECHAR): CARDINAL =
  BEGIN
    CASE c OF
    | W'0' .. W'9' => RETURN ORD(c) - ORD('0');
    | W'a' .. W'z' => RETURN ORD(c) - ORD('a') + 10;
    | W'A' .. W'Z' => RETURN ORD(c) - ORD('A') + 10;
    ELSE RETURN LAST(Base);
    END;
  END ValueOf;

PROCEDURE ToText(t: T; base: Base): TEXT =
  VAR
    x := Read(t);
    (* A sign and a zero. *)
    digits := NEW(REF ARRAY OF CHAR, LibGmp.sizeinbase(x, base) + 2);
    n: CARDINAL := 0;
  BEGIN
    EVAL LibGmp.get_str(ADR(digits[0]), base, x);
    <*ASSERT t[0] = x.size*>
    n := NUMBER(digits^) - 3;  (* the size may be 1 too large *)
    WHILE digits[n] # '\000' DO INC(n) END;
    RETURN Text.FromChars(SUBARRAY(digits^, 0, n));
  END ToText;

(* --- Order *)

PROCEDURE Compare(a, b: T): [-1 .. 1] =
  VAR order: [-1 .. 1];
  BEGIN
    IF a[0] # b[0] THEN
      IF a[0] < b[0] THEN RETURN -1 ELSE RETURN 1 END;
    END;
    FOR i := ABS(a[0]) TO 1 BY -1 DO
      IF a[i] # b[i] THEN
        IF Word.LT(a[i], b[i]) THEN order := -1 ELSE order := 1 END;
        IF a[0] < 0 THEN RETURN -order ELSE RETURN order END;
      END;
    END;
    RETURN 0;
  END Compare;

PROCEDURE Equal(a, b: T): BOOLEAN =
  BEGIN
    RETURN Compare(a, b) = 0;
  END Equal;

PROCEDURE Hash(t: T): Word.T =
  CONST Factor = 16_27D4EB2F165667C5;
  VAR hash: Word.T := 0;
  BEGIN
    FOR i := 0 TO LAST(t^) DO
      hash := Word.Times(Word.Xor(Word.Rotate(hash, 29), t[i]), Factor);
    END;
    RETURN hash;
  END Hash;

PROCEDURE Sign(t: T): [-1 .. 1] =
  BEGIN
    RETURN MAX(-1, MIN(t[0], 1));
  END Sign;

(* --- Arithmetic *)

PROCEDURE Neg(t: T): T =
  VAR made := NEW(T, NUMBER(t^));
  BEGIN
    made^ := t^;
    made[0] := -t[0];
    RETURN made;
  END Neg;

PROCEDURE Abs(t: T): T =
  BEGIN
    IF t[0] < 0 THEN RETURN Neg(t) ELSE RETURN t END;
  END Abs;

PROCEDURE Add(a, b: T): T RAISES {Error} =
  BEGIN
    CheckBits(MAX(Bits(a), Bits(b)) + 1);
    RETURN Apply(LibGmp.add, a, b);
  END Add;

PROCEDURE Sub(a, b: T): T RAISES {Error} =
  BEGIN
    CheckBits(MAX(Bits(a), Bits(b)) + 1);
    RETURN Apply(LibGmp.sub, a, b);
  END Sub;

PROCEDURE Mul(a, b: T): T RAISES {Error} =
  BEGIN
    CheckBits(Bits(a) + Bits(b));
    RETURN Apply(LibGmp.mul, a, b);
  END Mul;

PROCEDURE Div(a, b: T): T RAISES {Error} =
  BEGIN
    CheckDivisor(b);
    RETURN Apply(LibGmp.fdiv_q, a, b);
  END Div;

PROCEDURE Mod(a, b: T): T RAISES {Error} =
  BEGIN
    CheckDivisor(b);
    RETURN Apply(LibGmp.fdiv_r, a, b);
  END Mod;

PROCEDURE Power(a: T; n: CARDINAL): T RAISES {Error} =
  VAR r: Z;  x := Read(a);  bits := Bits(a);
  BEGIN
    IF bits > 1 AND n > MostBits THEN CheckBits(n) END;
    (* A number of k bits is at least 2^(k - 1). *)
    IF bits > 1 THEN CheckBits((bits - 1) * n) END;
    IF bits = 1 THEN n := 2 - n MOD 2 END;
    LibGmp.init(r);
    TRY
      LibGmp.pow_ui(r, x, n);
      <*ASSERT a[0] = x.size*>
      RETURN Made(r);
    FINALLY
      LibGmp.clear(r);
    END;
  END Power;

PROCEDURE PowerMod(a, e, m: T): T RAISES {Error} =
  VAR r: Z;  x, y, z: Z;
  BEGIN
    CheckDivisor(m);
    IF e[0] < 0 THEN
      a := Inverse(a, m);
      e := Neg(e);
    END;
    x := Read(a);
    y := Read(e);
    z := Read(m);
    LibGmp.init(r);
    TRY
      LibGmp.powm(r, x, y, z);
      <*ASSERT a[0] = x.size AND e[0] = y.size AND m[0] = z.size*>
      RETURN Made(r);
    FINALLY
      LibGmp.clear(r);
    END;
  END PowerMod;

PROCEDURE Inverse(a, m: T): T RAISES {Error} =
  VAR r: Z;  x := Read(a);  y := Read(m);
  BEGIN
    CheckDivisor(m);
    LibGmp.init(r);
    TRY
      IF LibGmp.invert(r, x, y) = 0 THEN
        RAISE Error("the number has no inverse: it has a factor in common with the modulus");
      END;
      <*ASSERT a[0] = x.size AND m[0] = y.size*>
      RETURN Made(r);
    FINALLY
      LibGmp.clear(r);
    END;
  END Inverse;

PROCEDURE Gcd(a, b: T): T =
  BEGIN
    RETURN Apply(LibGmp.gcd, a, b);
  END Gcd;

PROCEDURE Sqrt(t: T): T RAISES {Error} =
  BEGIN
    IF t[0] < 0 THEN RAISE Error("the square root of a negative number") END;
    RETURN Apply(Root, t, t);
  END Sqrt;

PROCEDURE Root(VAR r: Z; READONLY a: Z; <*UNUSED*> READONLY b: Z) =
  BEGIN
    LibGmp.sqrt(r, a);
  END Root;

(* --- Bits *)

PROCEDURE Shift(t: T; n: INTEGER): T RAISES {Error} =
  VAR r: Z;  x := Read(t);
  BEGIN
    IF n > 0 AND t[0] # 0 THEN CheckBits(Bits(t) + MIN(n, MostBits)) END;
    IF t[0] = 0 THEN RETURN t END;
    LibGmp.init(r);
    TRY
      IF n >= 0 THEN
        LibGmp.mul_2exp(r, x, n);
      ELSE
        LibGmp.fdiv_q_2exp(r, x, -MAX(n, -MostBits));
      END;
      <*ASSERT t[0] = x.size*>
      RETURN Made(r);
    FINALLY
      LibGmp.clear(r);
    END;
  END Shift;

PROCEDURE And(a, b: T): T =
  BEGIN
    RETURN Apply(LibGmp.and, a, b);
  END And;

PROCEDURE Or(a, b: T): T =
  BEGIN
    RETURN Apply(LibGmp.ior, a, b);
  END Or;

PROCEDURE Xor(a, b: T): T =
  BEGIN
    RETURN Apply(LibGmp.xor, a, b);
  END Xor;

PROCEDURE Not(t: T): T =
  BEGIN
    RETURN Apply(Complement, t, t);
  END Not;

PROCEDURE Complement(VAR r: Z; READONLY a: Z; <*UNUSED*> READONLY b: Z) =
  BEGIN
    LibGmp.com(r, a);
  END Complement;

PROCEDURE Bit(t: T; i: CARDINAL): [0 .. 1] =
  VAR x := Read(t);  bit := LibGmp.tstbit(x, i);
  BEGIN
    <*ASSERT t[0] = x.size*>
    RETURN bit;
  END Bit;

PROCEDURE Bits(t: T): CARDINAL =
  VAR high: Word.T;  n := ABS(t[0]);  bits: CARDINAL;
  BEGIN
    IF n = 0 THEN RETURN 0 END;
    high := t[n];
    bits := (n - 1) * LimbBits;
    WHILE high # 0 DO
      INC(bits);
      high := Word.RightShift(high, 1);
    END;
    RETURN bits;
  END Bits;

(* --- Primes *)

PROCEDURE IsPrime(t: T): BOOLEAN =
  VAR x := Read(t);  prime: BOOLEAN;
  BEGIN
    IF t[0] <= 0 THEN RETURN FALSE END;
    prime := LibGmp.probab_prime_p(x, Rounds) > 0;
    <*ASSERT t[0] = x.size*>
    RETURN prime;
  END IsPrime;

PROCEDURE NextPrime(t: T): T RAISES {Error} =
  BEGIN
    CheckBits(Bits(t) + 1);
    RETURN Apply(Following, t, t);
  END NextPrime;

PROCEDURE Following(VAR r: Z; READONLY a: Z; <*UNUSED*> READONLY b: Z) =
  BEGIN
    LibGmp.nextprime(r, a);
  END Following;

BEGIN
END BigInt.
