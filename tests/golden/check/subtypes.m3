(* golden: check, -w *)
(* Types that are not the same, not subtypes, and not assignable (language.md 6, 7, 8). *)
MODULE Main;
EXCEPTION E; F;
TYPE
  En1 = {a, b}; En2 = {b, a}; En3 = {a, b, c}; S = [0..9]; T = [10..19]; L = [0L..9L];
  R1 = RECORD x := 1 END; R2 = RECORD x := 2 END; R3 = RECORD y := 1 END; O = OBJECT END; P = O OBJECT n: INTEGER END; Q = OBJECT c: CHAR END;
VAR
  i: INTEGER; l: LONGINT; c: CHAR; w: WIDECHAR; r: REAL; d: LONGREAL; x: EXTENDED; t: TEXT; b: BOOLEAN; n: CARDINAL; nat: [0 .. LAST(INTEGER)];
  e1: En1; e2: En2; e3: En3; s: S; u: T; ls: L; r1: R1; r2: R2; r3: R3; o: O; q: Q; any: REFANY; addr: ADDRESS; un: UNTRACED REF INTEGER; ref: REF INTEGER; refs: REF S; b1: BRANDED REF INTEGER; b2: BRANDED REF INTEGER;
  as: ARRAY [0..3] OF S; ai: ARRAY [0..3] OF INTEGER; a5: ARRAY [0..4] OF INTEGER; ap: ARRAY [0..3] OF BITS 8 FOR [0..255]; ab: ARRAY [0..3] OF [0..255]; am: ARRAY [0..3], [0..1] OF INTEGER;
  ss: SET OF S; st: SET OF T; p0: PROCEDURE (); pe: PROCEDURE () RAISES {E}; pef: PROCEDURE () RAISES {E, F}; pi: PROCEDURE (i: INTEGER); pv: PROCEDURE (VAR i: INTEGER); ps: PROCEDURE (s: S); pr: PROCEDURE (): INTEGER;
PROCEDURE VarI(VAR i: INTEGER) = BEGIN i := 0 END VarI;
PROCEDURE VarO(VAR o: O) = BEGIN o := NIL END VarO;
PROCEDURE Open(READONLY a: ARRAY OF INTEGER) = BEGIN i := a[0] END Open;
BEGIN
  i := l; l := i; i := r; r := i; r := d; d := x; c := i; i := c; t := c; b := i;
  (* expect-error above: LONGINT is not assignable to INTEGER, the type of i; write VAL(l, INTEGER) (8.1) *)
  (* expect-error above: INTEGER is not assignable to LONGINT, the type of l; write VAL(i, LONGINT) (8.1) *)
  (* expect-error above: REAL is not assignable to INTEGER, the type of i; TRUNC(r) cuts the fraction off, ROUND(r) rounds (8.1) *)
  (* expect-error above: INTEGER is not assignable to REAL, the type of r; write FLOAT(i) (8.1) *)
  (* expect-error above: LONGREAL is not assignable to REAL, the type of r; write FLOAT(d) (8.1) *)
  (* expect-error above: EXTENDED is not assignable to LONGREAL, the type of d; write FLOAT(x, LONGREAL) (8.1) *)
  (* expect-error above: INTEGER is not assignable to CHAR, the type of c; write VAL(i, CHAR) (8.1) *)
  (* expect-error above: CHAR is not assignable to INTEGER, the type of i; write ORD(c) (8.1) *)
  (* expect-error above: CHAR is not assignable to TEXT, the type of t; write Text.FromChar(c), with IMPORT Text (8.1) *)
  (* expect-error above: INTEGER is not assignable to BOOLEAN, the type of b; write i # 0 (8.1) *)
  e1 := e2; e1 := e3; s := u; ls := s;
  (* expect-error above: Main.En2 is not assignable to Main.En1, the type of e1 (8.1) *)
  (* expect-error above: Main.En3 is not assignable to Main.En1, the type of e1 (8.1) *)
  (* expect-error above: Main.T is not assignable to Main.S, the type of s; write VAL(u, INTEGER) (8.1) *)
  (* expect-error above: Main.S is not assignable to Main.L, the type of ls; write VAL(s, LONGINT) (8.1) *)
  r1 := r2; r1 := r3; o := q; ref := refs; b1 := b2; ref := b1; un := ref; any := un; un := addr; addr := any;
  (* expect-error above: Main.R2 is not assignable to Main.R1, the type of r1; records need the same defaults and field types (8.1) *)
  (* expect-error above: Main.R3 is not assignable to Main.R1, the type of r1; records need the same fields, and field 1 differs: expected x: INTEGER, found y: INTEGER (8.1) *)
  (* expect-error above: Main.Q is not assignable to Main.O, the type of o; neither type is a subtype of the other (8.1) *)
  (* expect-error above: REF Main.S is not assignable to REF INTEGER, the type of ref; they refer to different types: expected REF INTEGER, found REF Main.S (8.1) *)
  (* expect-error above: BRANDED "(Main.m3 b2)" REF INTEGER is not assignable to BRANDED "(Main.m3 b1)" REF INTEGER, the type of b1; neither type is a subtype of the other (8.1) *)
  (* expect-error above: BRANDED "(Main.m3 b1)" REF INTEGER is not assignable to REF INTEGER, the type of ref; neither type is a subtype of the other (8.1) *)
  (* expect-error above: REF INTEGER is not assignable to UNTRACED REF INTEGER, the type of un; one is traced, and the other UNTRACED or ADDRESS (8.1) *)
  (* expect-error above: UNTRACED REF INTEGER is not assignable to REFANY, the type of any; one is traced, and the other UNTRACED or ADDRESS (8.1) *)
  (* expect-error above: ADDRESS is not assignable to UNTRACED REF INTEGER, the type of un; neither type is a subtype of the other (8.1) *)
  (* expect-error above: REFANY is not assignable to ADDRESS, the type of addr; one is traced, and the other UNTRACED or ADDRESS (8.1) *)
  as := ai; ai := a5; ap := ab; am := ai; ss := st;
  (* expect-error above: ARRAY [0..3] OF INTEGER is not assignable to ARRAY [0..3] OF Main.S, the type of as; arrays need elements of the same type, and INTEGER and Main.S are different types; assign each element (8.1) *)
  (* expect-error above: ARRAY [0..4] OF INTEGER is not assignable to ARRAY [0..3] OF INTEGER, the type of ai; the lengths differ: expected 4, found 5; SUBARRAY(x, 0, n) := SUBARRAY(y, 0, n) copies n elements (8.1) *)
  (* expect-error above: ARRAY [0..3] OF [0..255] is not assignable to ARRAY [0..3] OF BITS 8 FOR [0..255], the type of ap; arrays need elements of the same type, and [0..255] and BITS 8 FOR [0..255] are different types; assign each element (8.1) *)
  (* expect-error above: ARRAY [0..3] OF INTEGER is not assignable to ARRAY [0..3] OF ARRAY [0..1] OF INTEGER, the type of am (8.1) *)
  (* expect-error above: SET OF Main.T is not assignable to SET OF Main.S, the type of ss; the element types differ: expected Main.S, found Main.T (8.1) *)
  p0 := pe; pe := pef; pi := pv; pi := ps; p0 := pr; p0 := pi;
  (* expect-error above: PROCEDURE () RAISES {Main.E} is not assignable to PROCEDURE (), the type of p0; it may raise Main.E, which is not expected here: handle it inside (8.1) *)
  (* expect-error above: PROCEDURE () RAISES {Main.E, Main.F} is not assignable to PROCEDURE () RAISES {Main.E}, the type of pe; it may raise Main.F, which is not expected here: handle it inside (8.1) *)
  (* expect-error above: PROCEDURE (VAR i: INTEGER) is not assignable to PROCEDURE (i: INTEGER), the type of pi; formal 1 differs: expected VALUE i: INTEGER, found VAR i: INTEGER (8.1) *)
  (* expect-error above: PROCEDURE (s: Main.S) is not assignable to PROCEDURE (i: INTEGER), the type of pi; formal 1 differs: expected i: INTEGER, found s: Main.S (8.1) *)
  (* expect-error above: PROCEDURE (): INTEGER is not assignable to PROCEDURE (), the type of p0; the results differ: expected no result, found INTEGER (8.1) *)
  (* expect-error above: PROCEDURE (i: INTEGER) is not assignable to PROCEDURE (), the type of p0; expected 0 formals, found 1 (8.1) *)
  VarI(n); VarI(s); VarI(nat); VarO(NARROW(o, P)); VarI(i + 1); Open(as); Open(am); Open(ref);
  (* expect-error above: formal i of VarI is VAR and needs a variable of exactly type INTEGER, not CARDINAL; declare n as INTEGER, or give a variable of that type and copy the value back: n := i (11.4) *)
  (* expect-error above: formal i of VarI is VAR and needs a variable of exactly type INTEGER, not Main.S; declare s as INTEGER, or give a variable of that type and copy the value back: s := i (11.4) *)
  (* expect-error above: formal i of VarI is VAR and needs a variable of exactly type INTEGER, not [0..LAST(INTEGER)]; declare nat as INTEGER, or give a variable of that type and copy the value back: nat := i (11.4) *)
  (* expect-error above: formal o of VarO is VAR and needs a variable; give the value to a variable first: VAR o: O := NARROW(o, P) (11.4) *)
  (* expect-error above: formal i of VarI is VAR and needs a variable; give the value to a variable first: VAR i: INTEGER := i + 1 (11.4) *)
  (* expect-error above: ARRAY [0..3] OF Main.S is not assignable to ARRAY OF INTEGER, the type of formal a of Open; arrays need elements of the same type, and Main.S and INTEGER are different types; assign each element (8.1) *)
  (* expect-error above: ARRAY [0..3] OF ARRAY [0..1] OF INTEGER is not assignable to ARRAY OF INTEGER, the type of formal a of Open (8.1) *)
  (* expect-error above: REF INTEGER is not assignable to ARRAY OF INTEGER, the type of formal a of Open (8.1) *)
  o := P; t := NIL; c := w;
  (* expect-error above: a type is not a value; NEW makes one: NEW(P) (15.5) *)
END Main.
