(* golden: run, with lib/Check, -w *)
(* Designators and operators (language.md 15.1, 15.2, 15.3, 15.4, 15.5, 16). *)
MODULE Main;
IMPORT Check, Text, Word;
TYPE Color = {Red, Green, Blue}; R = RECORD a: INTEGER; b: RECORD c: CHAR; d: ARRAY [0..1] OF INTEGER END; p: Proc := NIL; n: REF R := NIL END; RR = REF R; O = OBJECT f: R; o: O; p: Proc; a: REF ARRAY OF REF ARRAY OF INTEGER METHODS m(): O := Me; fix(): R := Fix; arr(): REF A := Arr; proc(): Proc := GetProc END; A = ARRAY [0..2] OF INTEGER; Proc = PROCEDURE (x: INTEGER): INTEGER; S = SET OF [0..99]; W = SET OF [0..5]; Big = REF ARRAY OF ARRAY OF REF ARRAY OF CHAR;
VAR count := 0; zero := 0; one := 1; seven := 7; big := LAST(INTEGER); small := FIRST(INTEGER); log := "";
PROCEDURE Me(o: O): O = BEGIN INC(count); RETURN o END Me;
PROCEDURE Fix(o: O): R = BEGIN RETURN o.f END Fix;
PROCEDURE Arr(<*UNUSED*> o: O): REF A = BEGIN RETURN NEW(REF A) END Arr;
PROCEDURE GetProc(o: O): Proc = BEGIN RETURN o.p END GetProc;
PROCEDURE Neg(x: INTEGER): INTEGER = BEGIN RETURN -x END Neg;
PROCEDURE T(t: TEXT; b: BOOLEAN): BOOLEAN = BEGIN log := log & t; RETURN b END T;
PROCEDURE N(t: TEXT; n: INTEGER): INTEGER = BEGIN log := log & t; RETURN n END N;
PROCEDURE Six(): A = BEGIN RETURN A{6, 66, 666} END Six;
PROCEDURE Set(VAR i: INTEGER; n: INTEGER) = BEGIN i := n END Set;
PROCEDURE SetA(VAR a: ARRAY OF INTEGER) = BEGIN a[0] := 44 END SetA;

PROCEDURE Designators() =
  VAR o := NEW(O); r: R; rr := NEW(RR); a := A{1, 2, 3}; m: ARRAY [0..1] OF A; b := NEW(Big, 2, 2); ra := NEW(REF ARRAY OF R, 2); rrr := NEW(REF RR); i := 1; x: REF REF A := NEW(REF REF A);
  BEGIN
    o.f.b.d[1] := 3; o.o := o; o.o.o.f.a := 4; o.m().m().f.b.c := 'q'; Check.That(count = 2 AND o.f.a = 4 AND o.f.b.c = 'q' AND o.f.b.d[1] = 3, "fields of objects"); Check.Int(o.fix().a + o.fix().b.d[1] + Six()[2] + o.arr()[1] + o.arr()^[0], 673, "values"); rr.b.d[0] := 5; rr^.a := 6; rr.n := rr; rr.n.n^.n.a := 7; Check.Int(rr.a + rr.b.d[0], 12, "references to records"); r := rr^; r.a := 1; Check.Int(rr.a, 7, "a copy");
    rrr^ := rr; rrr^.a := 8; Check.Int(rr.a, 8, "one implicit ^"); x^ := NEW(REF A); x^[2] := 3; Check.Int(x^^[2], 3, "^ then an implicit ^"); b[1, 0] := NEW(REF ARRAY OF CHAR, 3); b[1, 0][2] := 'z'; b[1][0, 1] := 'y'; Check.That(b[1, 0, 2] = 'z' AND b^[1][0]^[1] = 'y', "a[i, j, k] through references"); ra[1].b.d[0] := 9; ra^[0] := ra[1]; Check.Int(ra[0].b.d[0], 9, "arrays of records"); o.a := NEW(REF ARRAY OF REF ARRAY OF INTEGER, 2); o.a[1] := NEW(REF ARRAY OF INTEGER, 2); o.a[1, 1] := 6; Check.Int(o.a[1][1], 6, "o.a[i, j]");
    Set(o.f.b.d[0], 10); Set(rr.a, 11); Set(m[1, 2], 12); Set(a[i + 1], 13); Set(SUBARRAY(a, 1, 2)[0], 14); Set(o.m().f.a, 15); Set(b_(rr).a, 16); SetA(m[0]); SetA(SUBARRAY(m[1], 1, 1)); SetA(o.a[0 + 1]^); SetA(Six2()^); Check.Int(o.f.b.d[0] + rr.a + m[1, 2] + a[2] + a[1] + o.f.a + m[0, 0] + m[1, 1] + o.a[1, 0], 10 + 16 + 12 + 13 + 14 + 15 + 44 * 3, "VAR of components"); NARROW(o, O).f.a := 1; Check.Int(o.f.a, 1, "NARROW().f"); o.p := Neg; r.p := Neg; Check.Int(o.p(3) + r.p(4) + o.proc()(5) + o.m().p(6), -18, "calls of fields"); Check.That(Color.Blue = VAL(2, Color) AND O.m # NIL AND ORD(FIRST(Color)) = 0, "E.id, T.m");
  END Designators;
PROCEDURE b_(r: RR): RR = BEGIN RETURN r END b_;
PROCEDURE Six2(): REF A = BEGIN RETURN NEW(REF A) END Six2;

PROCEDURE Evaluation() =
  VAR x := 1.0e30; y := -1.0e30; z := 1.0; nil: REF INTEGER;
  BEGIN
    Check.That(NOT (T("a", FALSE) AND T("b", TRUE)) AND (T("c", TRUE) OR T("d", TRUE)), "short circuit"); Check.Text(log, "ac", "short circuit"); Check.That(NOT (nil # NIL AND nil^ = 3) AND (nil = NIL OR nil^ = 3), "guards"); Check.That((x + y) + z = 1.0 AND x + (y + z) = 0.0, "no rearrangement"); log := ""; IF T("1", FALSE) AND T("2", TRUE) OR T("3", TRUE) AND NOT T("4", FALSE) THEN log := log & "!" END; Check.Text(log, "134!", "AND binds tighter"); log := ""; Check.Int(N("a", 7) - N("b", 2) * N("c", 3), 1, "-"); Check.Int(Text.Length(log), 3, "each once");
  END Evaluation;

PROCEDURE Integers() =
  VAR l := 7L; m := -2L; s: [0..9] := 7; t: [-9..-1] := -2; k := ARRAY [0..7] OF INTEGER{7, -7, 7, -7, 6, -6, 6, -6}; d := ARRAY [0..7] OF INTEGER{2, 2, -2, -2, 3, 3, -3, -3}; q := ARRAY [0..7] OF INTEGER{3, -4, -4, 3, 2, -2, -2, 2}; r := ARRAY [0..7] OF INTEGER{1, 1, -1, -1, 0, 0, 0, 0};
  BEGIN
    FOR i := 0 TO 7 DO Check.Int(k[i] DIV d[i], q[i], "DIV"); Check.Int(k[i] MOD d[i], r[i], "MOD") END; Check.That(7 DIV 2 = 3 AND -7 DIV 2 = -4 AND 7 DIV -2 = -4 AND -7 DIV -2 = 3 AND -7 MOD 2 = 1 AND 7 MOD -2 = -1 AND -7 MOD -2 = -1 AND 7 MOD 2 = 1, "constants"); Check.Int(s DIV t, -4, "subranges"); Check.Int(s MOD t, -1, "subranges"); Check.That(l DIV m = -4L AND l MOD m = -1L AND l * m = -14L AND l + m = 5L AND -l - m = -5L AND +l = 7L, "LONGINT"); Check.Int(small DIV 2, -16_4000000000000000, "FIRST DIV 2"); Check.Int(small MOD 10, 2, "FIRST MOD 10"); Check.Int(small DIV big, -2, "FIRST DIV LAST"); Check.Int(small MOD big, big - 1, "FIRST MOD LAST"); Check.Int(big DIV small, -1, "LAST DIV FIRST"); Check.Int(big MOD small, -1, "LAST MOD FIRST"); Check.Int(small DIV one, small, "DIV 1"); Check.Int(small MOD -one, 0, "MOD -1"); Check.Int(-seven DIV 8, -1, "DIV 2^n"); Check.Int(-seven MOD 8, 1, "MOD 2^n"); Check.Int(-seven DIV -8, 0, "DIV -8"); Check.Int(seven MOD -8, -1, "MOD -8"); Check.Int(-1 DIV 2 * 10 + -1 MOD 2, -9, "29.1"); Check.Int(Word.Plus(big, 1), small, "Word.Plus"); Check.Int((-16_4000000000000000 - zero) * 2, small, "no overflow"); Check.Int(-(-big) - big + zero, 0, "signs");
  END Integers;

PROCEDURE Floats() =
  VAR r := 7.5; d := -7.5d0; x := 2.0x0; nan, inf: LONGREAL; z := 0.0d0; rn: REAL;
  BEGIN
    inf := 1.0d0 / z; nan := z / z; rn := 0.0 / FLOAT(z); Check.That(r / 2.0 = 3.75 AND r * -2.0 = -15.0 AND r - 0.5 = 7.0 AND -r + r = 0.0 AND +r = 7.5, "REAL"); Check.That(r MOD 2.0 = 1.5 AND d MOD 2.0d0 = 0.5d0 AND d MOD -2.0d0 = -1.5d0 AND x MOD 1.5x0 = 0.5x0 AND 7.5 MOD -2.0 = -0.5, "MOD"); Check.That(nan # nan AND NOT nan = nan AND NOT nan <= nan AND NOT nan < 1.0d0 AND NOT nan > 1.0d0 AND NOT nan >= inf AND rn # rn, "NaN"); Check.That(z = -z AND 1.0d0 / -z = -inf AND inf > 1.0d308 AND -inf < inf AND inf = inf, "zeros and infinities"); Check.That(NOT (nan > z) AND NOT (nan <= z), "16.7"); WITH a = ARRAY [0..1] OF LONGREAL{nan, z}, b = ARRAY [0..1] OF LONGREAL{nan, z}, c = ARRAY [0..1] OF LONGREAL{z, z}, e = ARRAY [0..1] OF LONGREAL{-z, z} DO Check.That(a # b AND NOT a = b AND c = e, "float equality in arrays") END; Check.That(x > 1.5x0 AND x = 2.0x0 AND x - 2.0x0 = 0.0x0, "EXTENDED");
  END Floats;

PROCEDURE Equality() =
  TYPE P = RECORD a: BITS 3 FOR [0..7]; b: BITS 13 FOR [0..8191]; c: CHAR; d: LONGREAL; e: SET OF [0..70]; f: TEXT; g: BOOLEAN END;
  VAR p := P{1, 2, 'c', 1.0d0, SET OF [0..70]{70}, "t", TRUE}; q := p; a := A{1, 2, 3}; b: ARRAY ['a'..'c'] OF INTEGER := a; o := NEW(REF ARRAY OF INTEGER, 2); n: ARRAY [0..1] OF P; s: [0..9] := 5; t: [10..19] := 10; c: [20..29] := 20; any: REFANY; obj := NEW(O); ch := 'x'; w := W'x'; f: Proc := Neg; nil: Proc; g: PROCEDURE (y: INTEGER): INTEGER RAISES ANY := Neg; e := SET OF CHAR{}; rr: RR; pk: RECORD x, y: BITS 4 FOR [0..15] END;
  BEGIN
    Check.That(p = q, "records"); q.e := SET OF [0..70]{}; Check.That(p # q AND NOT p = q, "records"); q := p; q.b := 3; Check.That(p # q, "packed"); q := p; q.f := "u"; Check.That(p # q, "texts"); Check.That(a = b AND b = a, "arrays by position"); b['b'] := 0; Check.That(a # b, "arrays"); Check.That(o^ # a AND NOT a = o^ AND SUBARRAY(a, 0, 2) # SUBARRAY(a, 1, 2) AND SUBARRAY(a, 0, 0) = SUBARRAY(a, 2, 0), "lengths differ"); n[0] := p; n[1] := p; Check.That(n[0] = n[1], "arrays of records"); Check.That(s # t - 4 AND s = 5 AND t # c AND s < t AND c > t, "disjoint subranges"); any := obj; Check.That(any = obj AND obj = any AND obj # NIL AND NIL = rr AND NIL = NIL, "references"); Check.That(ch = w AND w = ch, "CHAR and WIDECHAR"); Check.That(f = Neg AND f = g AND nil = NIL AND f # nil, "procedures"); Check.That(e = SET OF CHAR{} AND e # SET OF CHAR{'a'}, "sets"); pk.x := 5; pk.y := 5; Check.That(pk.x = pk.y AND pk.x = s, "packed fields");
  END Equality;

PROCEDURE Sets() =
  VAR a := S{1, 5, 70}; b := S{5, 70, 99}; c := W{0, 5}; d := W{5}; e: S; i := 5; ch := 'b';
  BEGIN
    Check.That(a + b = S{1, 5, 70, 99} AND a * b = S{5, 70} AND a - b = S{1} AND a / b = S{1, 99} AND b - a = S{99}, "large"); Check.That(c + d = c AND c * d = d AND c - d = W{0} AND c / d = W{0}, "small"); Check.That(d <= c AND d < c AND c >= d AND c > d AND c <= c AND NOT c < c AND NOT W{1} <= c AND NOT (W{1} >= c), "subsets"); Check.That(e <= a AND (e = S{}) = (e <= S{}) AND S{5} < b AND b > S{99} AND NOT a <= b AND NOT a >= b, "large subsets"); Check.That(i IN c AND NOT i + 1 IN c AND NOT -1 IN c AND NOT 64 IN c AND NOT 200 IN a AND i * 14 IN a AND NOT LAST(INTEGER) IN a AND NOT FIRST(INTEGER) IN a, "IN"); Check.That(ch IN SET OF ['a'..'c']{'b'} AND NOT 'z' IN SET OF ['a'..'c']{'b'}, "IN of a subrange"); a := a + S{i, i + 1 .. i + 3, 20 .. 10}; Check.That(a = S{1, 5, 6, 7, 8, 70}, "ranges"); a := S{i} + (a - S{5 .. 50}) * S{0 .. 80}; Check.That(a = S{1, 5, 70}, "expressions"); Check.That(-1 IN SET OF [0..9]{1} = FALSE, "29.58");
  END Sets;

BEGIN
  Designators(); Evaluation(); Integers(); Floats(); Equality(); Sets(); Check.That("a" & "b" # NIL AND Text.Equal("a" & "" & "b" & log, "abacb") = FALSE, "&"); Check.Done();
END Main.
(* expect: all checks hold *)
