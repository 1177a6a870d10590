(* golden: run, with lib/Check *)
(* Pragmas (language.md 26), TRANSIENT in a program without a database (language.md 27.1, 27.2, 27.4), checks that the rules are about warnings, too (language.md 24). *)
INTERFACE Parts; <*PRAGMA LL, Mine*>
<*INLINE*> PROCEDURE Fast(n: INTEGER): INTEGER; <* LL = mu *> <*OBSOLETE*> PROCEDURE Old(); <*LL.sup < mu*>
<*UNUSED*> VAR spare: INTEGER; <*OBSOLETE*> CONST Gone = 1; <*IMPLICIT*> EXCEPTION Always; EXCEPTION Sometimes; <*OBSOLETE*> <*INLINE*> <*UNUSED*> PROCEDURE Three();
TYPE O = OBJECT METHODS <*LL < mu*> m() <*LL.sup = {}*>; n(); <*Mine x*> END; <*SPEC Fast(n) ENSURES don't "care *>
END Parts.

(* unit: Parts.m3 *)
MODULE Parts;
<*INLINE*> PROCEDURE Fast(n: INTEGER): INTEGER = BEGIN RETURN n + 1 END Fast;
<*NOWARN*> PROCEDURE Old() = BEGIN RAISE Always END Old;
<*FATAL Sometimes*> PROCEDURE Three() = BEGIN RAISE Sometimes END Three;
BEGIN END Parts.

(* unit: C.i3 *)
<*LIBRARY "m", "libc6-dev"*> <*EXTERNAL*> INTERFACE C; PROCEDURE abs(n: INTEGER): INTEGER; PROCEDURE strlen(s: ADDRESS): INTEGER; END C.

(* unit: Libc.i3 *)
INTERFACE Libc;
<*EXTERNAL labs*> PROCEDURE Labs(n: INTEGER): INTEGER; <*EXTERNAL "llabs"*> PROCEDURE Quoted(n: INTEGER): INTEGER; <*EXTERNAL labs:C*> PROCEDURE Labelled(n: INTEGER): INTEGER; <*EXTERNAL "getenv":C*> <*UNUSED*> PROCEDURE Env(a: ADDRESS): ADDRESS; <*EXTERNAL*> VAR optind, opterr: BITS 32 FOR [-16_80000000 .. 16_7FFFFFFF]; <*EXTERNAL*> <*C*> PROCEDURE toupper(c: INTEGER): INTEGER;
TYPE Compare = <*CALLBACK*> PROCEDURE (a, b: ADDRESS): BITS 32 FOR [-16_80000000 .. 16_7FFFFFFF]; <*EXTERNAL qsort*> <*WINAPI*> PROCEDURE Sort(base: ADDRESS; n, size: INTEGER; compare: Compare);
END Libc.

(* unit: Main.m3 *)
UNSAFE MODULE Main;
<*PRAGMA Yours, Other*> <*PRAGMA Third*>
IMPORT Check, RuntimeError, Text, Parts, Libc, C; <*NOWARN*> IMPORT Word;
EXCEPTION E; F(TEXT); TYPE Err = RuntimeError.T; T = <*TRANSIENT*> REF INTEGER; TObj = <*TRANSIENT*> ROOT OBJECT x := 3 METHODS m(): INTEGER := M END; TB = <*TRANSIENT*> ROOT BRANDED "TB" OBJECT END; Sub = TObj OBJECT y := 4 END; TR = <*TRANSIENT*> REFANY; Opaque <: <*TRANSIENT*> REFANY; Rec = RECORD <*TRANSIENT*> cache: REFANY; value: REF INTEGER; <*TRANSIENT*> a, b: TEXT END; TA = <*TRANSIENT*> ARRAY [0..1] OF REFANY; <*UNUSED*> TYPE Unused = INTEGER; <*UNUSED*> CONST NotUsed = 3;
REVEAL Opaque = <*TRANSIENT*> BRANDED "Opaque" REF TEXT;
VAR n: INTEGER := 0; <*UNUSED*> VAR nobody: INTEGER; VAR zero := 0; evaluated := 0; sorted := ARRAY [0..4] OF INTEGER{5, 3, 9, 1, 7};
PROCEDURE M(t: TObj): INTEGER = BEGIN RETURN t.x END M;
<*CALLBACK*> PROCEDURE Compare(a, b: ADDRESS): BITS 32 FOR [-16_80000000 .. 16_7FFFFFFF] = BEGIN RETURN LOOPHOLE(a, UNTRACED REF INTEGER)^ - LOOPHOLE(b, UNTRACED REF INTEGER)^ END Compare;
PROCEDURE Count(b: BOOLEAN): BOOLEAN = BEGIN INC(evaluated); RETURN b END Count;
PROCEDURE Asserts(k: INTEGER) =
  BEGIN
    <*ASSERT Count(TRUE)*> <*ASSERT Count(k < 100) WITH "too large"*> <*ASSERT k # 7, "seven"*>
    IF k = 1 THEN <*ASSERT FALSE*> ELSE <*ASSERT k # 2*> END; CASE k OF 3 => <*ASSERT FALSE*> ELSE END
  END Asserts;
PROCEDURE Fails(k: INTEGER): BOOLEAN = BEGIN TRY Asserts(k) EXCEPT RuntimeError.E (e) => RETURN e = Err.AssertFailed END; RETURN FALSE END Fails;
PROCEDURE Fatal(<*UNUSED*> u: INTEGER; <*UNUSED*> v, w: TEXT := ""): INTEGER = <*FATAL E*> <*FATAL F, Parts.Sometimes*> BEGIN TRY RAISE E EXCEPT E => RETURN 1 END; <*NOWARN*> RAISE E; END Fatal;
PROCEDURE Any(k: INTEGER) = <*FATAL ANY*> BEGIN IF k = 1 THEN RAISE E ELSIF k = 2 THEN RAISE F("f") END END Any;
PROCEDURE Implicit() RAISES {} = BEGIN RAISE Parts.Always END Implicit;
PROCEDURE Blocked() = BEGIN Any(1) END Blocked;
BEGIN
  Check.Int(Parts.Fast(2) + <*Yours 1 + *> 4, 7, "INLINE and PRAGMA"); <*Other*> <*Third
  ''' *> <*Yours*>
  Check.That(NOT Fails(0) AND Fails(1) AND Fails(2) AND Fails(3) AND Fails(7) AND Fails(100) AND NOT Fails(99), "ASSERT"); Check.Int(evaluated, 14, "evaluated once each"); <*ASSERT zero = 0*> <*DEBUG "debug"*>
  Check.Int(Fatal(1), 1, "FATAL"); Check.Fails(Blocked, Err.BlockedException, "FATAL changes nothing at run time"); TRY Implicit(); Check.That(FALSE, "Implicit") EXCEPT Parts.Always => Check.That(TRUE, "IMPLICIT") END;
  Check.Int(Libc.Labs(-3) + Libc.Quoted(-4) + Libc.Labelled(-5) + C.abs(-6), 18, "EXTERNAL"); Check.Int(Libc.optind, 1, "EXTERNAL VAR"); Check.Int(Libc.toupper(ORD('a')), ORD('A'), "C"); Libc.Sort(ADR(sorted[0]), NUMBER(sorted), BYTESIZE(INTEGER), Compare); Check.That(sorted = ARRAY [0..4] OF INTEGER{1, 3, 5, 7, 9}, "CALLBACK");
  (* TRANSIENT *)
  VAR t := NEW(T); o := NEW(TObj); s := NEW(Sub, x := 5); any: REFANY := t; tr: TR := t; op: Opaque := NEW(Opaque); rec: Rec; ta: TA; tb := NEW(TB); nil: T := NIL;
  BEGIN
    t^ := 6; any := s; o := s; tr := o; Check.Int(o.m() + NARROW(tr, Sub).y + NARROW(any, TObj).x, 14, "transient objects"); any := t; Check.That(ISTYPE(any, T) AND NOT ISTYPE(any, REF INTEGER) AND TYPECODE(T) # TYPECODE(REF INTEGER) AND ISTYPE(any, TR) AND nil = NIL, "types"); any := NEW(REF INTEGER); Check.That(NOT ISTYPE(any, TR) AND NOT ISTYPE(any, T), "ordinary ones"); op^ := "op"; tr := op; Check.Text(NARROW(tr, Opaque)^, "op", "opaque"); rec.cache := t; rec.value := any; rec.a := "a"; ta[1] := rec.cache; Check.That(ta[1] = t AND tb # NIL AND rec.b = NIL, "fields"); any := NEW(MUTEX); LOCK NARROW(any, MUTEX) DO Check.That(ISTYPE(any, TR) OR NOT ISTYPE(any, TR), "MUTEX") END;
  END;
  n := 3; INC(n); Check.Int(n + Word.Size - BITSIZE(Word.T) + Text.Length("") + zero, 4, "variables");
  Check.Done();
<*NOWARN*> END Main.
(* expect: all checks hold *)
