(* golden: run, with lib/Check, -w *)
(* Unsafe operations (language.md 17.7, 17.8, 22.3, 22.4, 22.5). *)
UNSAFE INTERFACE Low; TYPE P = UNTRACED REF REF INTEGER; U = UNTRACED ROOT OBJECT t: TEXT; r: REF INTEGER END; PROCEDURE First(a: ADDRESS): INTEGER; END Low.

(* unit: Low.m3 *)
UNSAFE MODULE Low; PROCEDURE First(a: ADDRESS): INTEGER = BEGIN RETURN LOOPHOLE(a, UNTRACED REF INTEGER)^ END First; BEGIN END Low.

(* unit: Main.m3 *)
UNSAFE MODULE Main;
IMPORT Check, Low, Word;
TYPE IP = UNTRACED REF INTEGER; Chars = ARRAY [0..7] OF CHAR; Byte = BITS 8 FOR [0..255]; Bytes = ARRAY [0..7] OF Byte; R = RECORD a, b: INTEGER; c: CHAR END; RP = UNTRACED REF R; Packed = RECORD lo: BITS 32 FOR [0 .. 16_FFFFFFFF]; hi: BITS 32 FOR [-16_80000000 .. 16_7FFFFFFF] END; O = UNTRACED ROOT OBJECT x := 3; next: O METHODS m(): INTEGER := M END; Proc = PROCEDURE (): INTEGER; AR = UNTRACED REF ARRAY [0..99] OF INTEGER;
VAR g := 5; ga: ARRAY [0..3] OF INTEGER;
PROCEDURE M(o: O): INTEGER = BEGIN RETURN o.x END M;
PROCEDURE Five(): INTEGER = BEGIN RETURN 5 END Five;
PROCEDURE Open(VAR a: ARRAY OF INTEGER): ADDRESS = BEGIN RETURN ADR(a[1]) END Open;
PROCEDURE Sum(READONLY a: ARRAY OF Byte): INTEGER = VAR s := 0; BEGIN FOR i := 0 TO LAST(a) DO INC(s, a[i]) END; RETURN s END Sum;
PROCEDURE Set(VAR i: INTEGER) = BEGIN i := 77 END Set;

PROCEDURE Addresses() =
  VAR a, b: ADDRESS := NIL; p: IP := ADR(g); r: R; rp: RP; v: ARRAY [1..4] OF INTEGER; k: ARRAY [0..9] OF CHAR; f: RECORD x: BITS 8 FOR CHAR; y: BITS 8 FOR CHAR END; t := NEW(REF R); n: INTEGER;
  BEGIN
    p^ := 6; Check.Int(g, 6, "ADR"); Check.Int(Low.First(ADR(g)), 6, "ADDRESS"); a := ADR(v[1]); b := ADR(v[4]); Check.Int(b - a, 3 * ADRSIZE(INTEGER), "ADDRESS - ADDRESS"); v[2] := 22; p := a + ADRSIZE(INTEGER); Check.Int(p^, 22, "ADDRESS + INTEGER"); p := b - 2 * ADRSIZE(INTEGER); Check.Int(p^, 22, "ADDRESS - INTEGER"); INC(a, ADRSIZE(INTEGER)); Check.That(a = p AND a < b AND b > a AND a <= p AND b >= b AND a # b AND NOT a = NIL, "order"); DEC(a, ADRSIZE(INTEGER)); INC(p, 2 * ADRSIZE(INTEGER)); Check.That(a = ADR(v) AND p = b AND ADR(v) = ADR(v[1]), "INC and DEC"); rp := ADR(r); rp.a := 1; rp^.b := 2; rp.c := 'c'; Check.Int(r.a + r.b + ORD(r.c), 102, "a record"); Check.Int(ADR(r.b) - ADR(r), ADRSIZE(INTEGER), "fields"); k[3] := 'k'; Check.Int(ADR(k[3]) - ADR(k[0]), 3, "characters"); Check.That(LOOPHOLE(ADR(k[3]), UNTRACED REF CHAR)^ = 'k', "CHAR"); f.y := 'y'; Check.That(LOOPHOLE(ADR(f.y), UNTRACED REF CHAR)^ = 'y', "packed, at a byte"); p := ADR(t.b); p^ := 9; Check.Int(t.b, 9, "inside an object"); Check.That(Open(ga) = ADR(ga[1]), "open arrays"); WITH w = ADR(ga[2]) DO LOOPHOLE(w, IP)^ := 8 END; n := ADR(ga[0]) - ADR(ga[3]); Check.Int(ga[2] + n, 8 - 3 * 8, "WITH"); a := NIL; INC(a, 16); Check.Int(a - LOOPHOLE(0, ADDRESS), 16, "from NIL");
  END Addresses;

PROCEDURE Loopholes() =
  VAR r := 1.0; d := 1.0d0; i: INTEGER; c: Chars; q: Packed; any: REFANY := NEW(REF INTEGER); a: ADDRESS; p: Proc := Five; s: SET OF [0..63]; b: [0..255]; bool: BOOLEAN; by: ARRAY [0..7] OF Byte; op: IP; l: LONGINT;
  BEGIN
    Check.Int(LOOPHOLE(d, INTEGER), 16_3FF0000000000000, "LONGREAL to INTEGER"); Check.Int(LOOPHOLE(r, BITS 32 FOR [0 .. 16_7FFFFFFF]), 16_3F800000, "REAL to 32 bits"); Check.That(LOOPHOLE(16_4000000000000000, LONGREAL) = 2.0d0, "a constant"); i := 16_0807060504030201; Check.That(LOOPHOLE(i, Chars)[2] = '\003', "INTEGER to an array"); LOOPHOLE(i, Bytes)[7] := 0; Check.Int(i, 16_0007060504030201, "a designator"); LOOPHOLE(i, Packed).hi := -1; Check.Int(Word.RightShift(i, 32), 16_FFFFFFFF, "a field of a designator"); q := LOOPHOLE(i, Packed); Check.Int(q.lo, 16_04030201, "a record"); c := LOOPHOLE(q, Chars); Check.That(c[0] = '\001' AND c[7] = '\377', "back"); Check.Int(Sum(LOOPHOLE(i, ARRAY OF Byte)), 10 + 4 * 255, "an open array"); Check.Int(NUMBER(LOOPHOLE(by, ARRAY OF CHAR)) + NUMBER(LOOPHOLE(by, ARRAY OF INTEGER)), 9, "lengths"); Set(LOOPHOLE(by, INTEGER)); Check.Int(by[0], 77, "VAR"); WITH w = LOOPHOLE(d, Word.T) DO w := 0 END; Check.That(d = 0.0d0, "WITH"); a := LOOPHOLE(any, ADDRESS); Check.That(LOOPHOLE(a, REFANY) = any AND LOOPHOLE(any, INTEGER) # 0 AND LOOPHOLE(NIL, INTEGER) = 0, "references"); Check.That(LOOPHOLE(LOOPHOLE(p, ADDRESS), Proc)() = 5, "procedures"); s := LOOPHOLE(5, SET OF [0..63]); Check.That(s = SET OF [0..63]{0, 2}, "sets"); l := LOOPHOLE(-1, LONGINT); Check.That(l = -1L, "LONGINT"); bool := LOOPHOLE(VAL(1, Byte), BITS 8 FOR BOOLEAN); Check.That(bool, "bytes"); op := LOOPHOLE(ADR(i), IP); op^ := 4; Check.Int(i, 4, "through ADR"); b := LOOPHOLE('a', Byte); Check.Int(b, 97, "CHAR");
  END Loopholes;

PROCEDURE Untraced() =
  VAR p := NEW(IP); r := NEW(RP, a := 4); o := NEW(O, x := 5); q := NEW(UNTRACED REF ARRAY OF ARRAY OF R, 2, 3); u := NEW(Low.U, t := "t"); pp := NEW(Low.P); t := NEW(REF INTEGER); nil: IP; ob: O; ar := NEW(AR); any: ADDRESS := r;
  BEGIN
    p^ := 3; q[1, 2].a := 6; o.next := NEW(O); Check.Int(p^ + r.a + o.m() + q[1, 2].a + o.next.m(), 21, "untraced"); pp^ := t; pp^^ := 8; u.r := t; Check.Int(u.r^ + ar[99], 8, "traced in untraced"); Check.That(ISTYPE(o, O) AND TYPECODE(o) = TYPECODE(O) AND any = r, "TYPECODE"); DISPOSE(p); DISPOSE(r); DISPOSE(o.next); DISPOSE(o); DISPOSE(q); DISPOSE(pp); DISPOSE(u); DISPOSE(t); DISPOSE(nil); DISPOSE(ob); DISPOSE(ar); Check.That(p = NIL AND r = NIL AND o = NIL AND q = NIL AND pp = NIL AND u = NIL AND t = NIL AND nil = NIL AND ar = NIL, "DISPOSE"); FOR i := 1 TO 1000 DO p := NEW(IP); p^ := i; DISPOSE(p) END; any := NEW(IP); p := any; p^ := 2; Check.Int(p^, 2, "ADDRESS is assignable to UNTRACED REF"); DISPOSE(p);
  END Untraced;
BEGIN Addresses(); Loopholes(); Untraced(); Check.Done() END Main.
(* expect: all checks hold *)
