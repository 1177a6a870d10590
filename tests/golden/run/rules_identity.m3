(* golden: run, with lib/Check, -w *)
(* Type identity and subtyping (language.md 6, 6.1, 6.2, 6.3, 6.4, 6.5, 7, 7.1, 7.2, 7.3, 7.4, 7.5, 7.6, 7.7). *)
INTERFACE Other;
TYPE
  Node = REF RECORD value: INTEGER; next: Node END;  List = REF ARRAY OF Color;  Color = {Red, Green};
  O = OBJECT a: INTEGER := 1 + 2; METHODS m(n: INTEGER := 3) := M; END;
  B = BRANDED REF INTEGER;  N = BRANDED "Other.N" REF INTEGER;
  Even = REF RECORD o: Odd END; Odd = REF RECORD e: Even END;
  Sub = O OBJECT OVERRIDES m := M END;  P = PROCEDURE (x: INTEGER): REF INTEGER RAISES {E, F}; RP = REF P;
  RR = REF RECORD a: INTEGER := 1; b: SET OF [0..Nine]; c: ARRAY BOOLEAN OF CHAR; d: BITS 8 FOR [0..Nine] END;
CONST Nine = 10 - 1;
EXCEPTION E; F(INTEGER);
PROCEDURE M(o: O; n: INTEGER);
PROCEDURE Codes(VAR codes: ARRAY OF CARDINAL);
END Other.

(* unit: Other.m3 *)
MODULE Other;
PROCEDURE M(o: O; n: INTEGER) = BEGIN INC(o.a, n) END M;
PROCEDURE Codes(VAR codes: ARRAY OF CARDINAL) =
  BEGIN
    codes[0] := TYPECODE(Node); codes[1] := TYPECODE(List); codes[2] := TYPECODE(O); codes[3] := TYPECODE(B); codes[4] := TYPECODE(N); codes[5] := TYPECODE(Even);
    codes[6] := TYPECODE(Odd); codes[7] := TYPECODE(RP); codes[8] := TYPECODE(RR); codes[9] := TYPECODE(Sub); codes[10] := TYPECODE(NEW(O, m := M)); codes[11] := TYPECODE(REF B);
  END Codes;
BEGIN END Other.

(* unit: Main.m3 *)
MODULE Main;
IMPORT Check, Other; FROM Other IMPORT E, F;
TYPE
  (* The same, written in other ways and under other names. *)
  Entry = RECORD value: Int; next: Link END; Int = INTEGER; Link = REF Entry;
  List = REF ARRAY OF {Red, Green};
  O = ROOT OBJECT a: Int := 3 METHODS m(n := 2 + 1) := Other.M END;
  Even = REF RECORD o: REF RECORD e: REF RECORD o: Odd END END END; Odd = REF RECORD e: Even END;
  RP = REF PROCEDURE (x: Int): REF (INTEGER) RAISES {F, Other.E};
  RR = REF RECORD a := 1; b: SET OF [3 - 3 .. 9]; c: ARRAY {FALSE, TRUE} OF CHAR; d: BITS 4 + 4 FOR [0..9] END;
  Sub = O OBJECT METHODS OVERRIDES m := Other.M END;
  (* Different. *)
  Names = REF RECORD value: INTEGER; following: Names END; Order = REF RECORD next: Order; value: INTEGER END; Default = REF RECORD value: INTEGER := 0; next: Default END;
  B = BRANDED REF INTEGER; B2 = BRANDED REF INTEGER; N2 = BRANDED "N2" REF INTEGER; R = REF INTEGER;
  List2 = REF ARRAY OF {Green, Red}; List3 = REF ARRAY OF {Red, Green, Blue}; List4 = REF ARRAY [0..1] OF {Red, Green};
  O2 = OBJECT a: INTEGER := 4 METHODS m(n: INTEGER := 3) := R1; END; O3 = OBJECT a: INTEGER := 3 METHODS m(n: INTEGER := 3) := R2; END; O4 = OBJECT a: INTEGER := 3 METHODS m(n: INTEGER := 2) := R2; END;
  RP2 = REF PROCEDURE (y: INTEGER): R RAISES {E, F}; RP3 = REF PROCEDURE (x: INTEGER): R RAISES {E}; RP4 = REF PROCEDURE (VAR x: INTEGER): R RAISES {E, F}; RP5 = REF PROCEDURE (x: INTEGER): R RAISES ANY; RP6 = REF PROCEDURE (x := 1): R RAISES {E, F};
  RR2 = REF RECORD a := 1; b: SET OF [3 - 3 .. 9]; c: ARRAY BOOLEAN OF CHAR; d: BITS 9 FOR [0..9] END;
  S1 = REF SET OF [0..9]; S2 = REF SET OF [0..10]; S3 = REF SET OF CARDINAL_; CARDINAL_ = [0 .. 9]; A1 = REF ARRAY [1..2] OF CHAR; A2 = REF ARRAY [2..3] OF CHAR; A3 = REF ARRAY [1..2] OF BITS 8 FOR CHAR;
  C1 = REF [FALSE .. TRUE]; C2 = REF BOOLEAN; L1 = REF LONGINT; E1 = REF LONGREAL; E2 = REF EXTENDED; T = REF TEXT; N = REF Nat; Nat = CARDINAL; NN = REF [0 .. LAST(INTEGER)];

PROCEDURE R1(<*UNUSED*> r: ROOT; <*UNUSED*> n: INTEGER) = BEGIN END R1;
PROCEDURE R2(<*UNUSED*> r: ROOT; <*UNUSED*> n: INTEGER) = BEGIN END R2;
VAR codes: ARRAY [0..11] OF CARDINAL;

PROCEDURE Identity() =
  VAR all := ARRAY [0..40] OF CARDINAL{TYPECODE(Names), TYPECODE(Order), TYPECODE(Default), TYPECODE(B), TYPECODE(B2), TYPECODE(N2), TYPECODE(R), TYPECODE(List2), TYPECODE(List3), TYPECODE(List4), TYPECODE(O2), TYPECODE(O3), TYPECODE(O4),
    TYPECODE(RP2), TYPECODE(RP3), TYPECODE(RP4), TYPECODE(RP5), TYPECODE(RP6), TYPECODE(RR2), TYPECODE(S1), TYPECODE(S2), TYPECODE(A1), TYPECODE(A2), TYPECODE(A3), TYPECODE(C1), TYPECODE(C2), TYPECODE(L1), TYPECODE(E1), TYPECODE(E2), TYPECODE(T), TYPECODE(N), TYPECODE(NN),
    TYPECODE(Link), TYPECODE(List), TYPECODE(O), TYPECODE(Even), TYPECODE(Odd), TYPECODE(RP), TYPECODE(RR), TYPECODE(Sub), TYPECODE(NULL)};
  BEGIN
    FOR i := 0 TO LAST(all) DO FOR j := 0 TO i - 1 DO IF all[i] = all[j] THEN Check.Int(i, j, "distinct types have distinct codes") END END END;
    Other.Codes(codes);
    Check.Int(TYPECODE(Link), codes[0], "Node"); Check.Int(TYPECODE(REF Entry), codes[0], "REF Entry"); Check.Int(TYPECODE(List), codes[1], "List"); Check.Int(TYPECODE(O), codes[2], "O");
    Check.That(TYPECODE(B) # codes[3] AND TYPECODE(R) # codes[4] AND TYPECODE(Other.B) = codes[3] AND TYPECODE(Other.N) = codes[4], "brands"); Check.Int(TYPECODE(REF Other.B), codes[11], "REF B");
    Check.Int(TYPECODE(Even), codes[5], "Even"); Check.Int(TYPECODE(Odd), codes[6], "Odd"); Check.Int(TYPECODE(RP), codes[7], "RP"); Check.Int(TYPECODE(RR), codes[8], "RR"); Check.Int(TYPECODE(Sub), codes[9], "Sub");
    Check.Int(TYPECODE(NEW(O, m := Other.M)), codes[10], "equal anonymous subtypes"); Check.Int(codes[10], codes[9], "which are Sub"); Check.Int(TYPECODE(S1), TYPECODE(S3), "S3");
  END Identity;

PROCEDURE VarNode(VAR n: Other.Node; VAR c: Other.Color; VAR a: ARRAY BOOLEAN OF CHAR; VAR f: PROCEDURE (x: INTEGER): R RAISES {E, F}; VAR o: Other.O; VAR s: SET OF [0..9]; VAR r: RECORD x, y: INTEGER END) =
  BEGIN n := NEW(Link, value := 5); c := Other.Color.Green; a[TRUE] := 't'; f := NIL; o := NEW(Sub); s := SET OF [0..9]{9}; r.y := 3 END VarNode;

(* Values of the same type may be passed by VAR. *)
PROCEDURE ByVar() =
  VAR n: Link; c: {Red, Green}; a: ARRAY {FALSE, TRUE} OF CHAR; f: Other.P; o: O; s: SET OF CARDINAL_; r: RECORD x: Int; y: INTEGER END;
  BEGIN VarNode(n, c, a, f, o, s, r); o.m(); Check.Int(n.value + ORD(c) + ORD(a[TRUE]) + o.a + r.y, 5 + 1 + ORD('t') + 6 + 3, "VAR"); Check.That(9 IN s AND ISTYPE(o, Other.Sub), "VAR") END ByVar;

PROCEDURE First(READONLY a: ARRAY OF ARRAY OF INTEGER): INTEGER = BEGIN IF NUMBER(a) = 0 OR NUMBER(a[0]) = 0 THEN RETURN -1 ELSE RETURN a[0, 0] END END First;
PROCEDURE Second(READONLY a: ARRAY OF ARRAY [0..1] OF INTEGER): INTEGER = BEGIN RETURN a[0, 1] END Second;
PROCEDURE Third(READONLY a: ARRAY [0..0], [7..8] OF INTEGER): INTEGER = BEGIN RETURN a[0, 8] END Third;
PROCEDURE F1(y: INTEGER): R RAISES {} = VAR r := NEW(R); BEGIN r^ := y; RETURN r END F1;

PROCEDURE Subtypes() =
  VAR
    small: [0..9] := 5; i: INTEGER := small; card: CARDINAL := i; nat: [0 .. LAST(INTEGER)] := card; wide: WIDECHAR := 'x'; c: ['a'..'z'] := 'q'; c2: CHAR := c; w2: [W'a' .. W'z'] := c; pc: BITS 8 FOR CHAR := c2; packed: RECORD b: BITS 4 FOR [0..9]; a: BITS 16 FOR ARRAY [0..1] OF BITS 8 FOR [0..255] END;
    m: ARRAY [1..1], [2..3] OF INTEGER; open := NEW(REF ARRAY OF ARRAY OF INTEGER, 1, 2); half := NEW(REF ARRAY OF ARRAY [0..1] OF INTEGER, 1); r: R; any: REFANY; null: NULL; u: UNTRACED REF INTEGER; adr: ADDRESS; b: B; root: ROOT; o: Other.O; s: Sub; uo: UNTRACED ROOT; ub: UNTRACED BRANDED REF CHAR;
    p: PROCEDURE (n: INTEGER): REF INTEGER RAISES {E, F}; p2: PROCEDURE (x: INTEGER): R RAISES ANY; p3: PROCEDURE (z: INTEGER := 3): R := F1; set: SET OF [0..9]; ps: BITS 16 FOR SET OF [0..9]; bytes: ARRAY [0..1] OF BITS 8 FOR [0..255];
  BEGIN
    Check.Int(i + card + nat, 15, "ordinals"); card := nat; nat := small; Check.That(wide = W'x' AND c2 = 'q' AND w2 = W'q' AND pc = 'q', "characters");
    packed.b := small; small := packed.b; i := packed.b; packed.a[1] := i; bytes := packed.a; packed.a := bytes; Check.Int(bytes[1] + small, 10, "packed"); set := SET OF [0..9]{3}; ps := set; set := ps; Check.That(ps = set AND 3 IN ps, "packed set");
    m[1, 2] := 7; m[1, 3] := 8; open^ := m; m := open^; half^ := m; half^ := open^; open^ := half^; Check.Int(open[0, 0] + half[0, 1] + m[1, 3], 23, "arrays");
    Check.Int(First(m) + First(open^) + First(half^), 21, "open below"); Check.Int(Second(m) + Second(open^) + Second(half^), 24, "half open"); Check.Int(Third(m) + Third(open^) + Third(half^), 24, "fixed"); Check.Int(First(NEW(REF ARRAY OF ARRAY OF INTEGER, 3, 0)^), -1, "no columns");
    r := NIL; any := r; adr := NIL; null := NIL; r := null; u := null; b := null; s := null; uo := null; ub := NIL; p := null; any := null; adr := u; adr := ub; adr := uo; adr := NEW(UNTRACED ROOT); u := NEW(UNTRACED REF INTEGER); adr := u; Check.That(adr = u AND r = NIL AND null = NIL AND uo = NIL AND p = NIL, "NULL is below all");
    s := NEW(Sub); o := s; root := o; any := root; o := root; s := any; root := any; any := NEW(B); b := any; Check.That(o = s AND any = b AND TYPECODE(any) = TYPECODE(B), "objects");
    p := F1; p2 := p; p2 := p3; p := p3; p3 := F1; Check.Int(p(3)^ + p2(4)^ + p3()^, 10, "procedures"); Check.That(p = p2 AND p3 = F1, "equal procedures");
  END Subtypes;

BEGIN
  Identity(); ByVar(); Subtypes();
  Check.Done();
END Main.
(* expect: all checks hold *)
