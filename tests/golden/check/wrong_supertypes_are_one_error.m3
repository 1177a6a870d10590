(* golden: check *)
(* The consequences of a wrong supertype, bound or revelation are not reported with it, also in
   an instance (language.md 9, 12, 21). *)
MODULE Main;

IMPORT IntPile;

TYPE
  A = Nope.T OBJECT x: INTEGER METHODS m() END; (* expect-error: Nope is not declared *)
  B <: A;
  C <: ROOT;
  D = C OBJECT w: INTEGER END;

REVEAL B = A BRANDED OBJECT y: INTEGER END;
REVEAL C = Missing BRANDED OBJECT z: INTEGER END; (* expect-error: Missing is not declared *)

VAR
  a: A;
  b := NEW(B, y := 1);
  c := NEW(C, z := 2);
  d: D;
  r: REFANY;

BEGIN
  a.x := 1;
  b.x := 2;
  b.y := 3;
  b.m();
  c.z := 4;
  d.w := c.z + d.z;
  c := d;
  d := c;
  IF ISTYPE(r, C) AND NARROW(r, B) = b AND C.p(c) # B.m THEN END;
  TYPECASE b OF
  | C => c := b;
  | B (x) => x.y := 5;
  ELSE
  END;
  WITH p = NEW(IntPile.Default).init() DO p.push(1) END;
END Main.

(* unit: Pile.ig *)
GENERIC INTERFACE Pile(Elem, List);
TYPE
  T = List.T OBJECT METHODS init(): T; push(e: Elem.T) END;
  Default <: T;
END Pile.

(* unit: Pile.mg *)
GENERIC MODULE Pile(Elem, List);
REVEAL Default = T BRANDED OBJECT count: INTEGER; last: Elem.T OVERRIDES push := Push END;
PROCEDURE Push(d: Default; e: Elem.T) =
  BEGIN
    INC(d.count);
    d.last := e;
  END Push;
BEGIN
END Pile.

(* unit: IntPile.i3 *)
INTERFACE IntPile = Pile(Integer, IntHeap) END IntPile. (* expect-error: there is no interface IntHeap *)

(* unit: IntPile.m3 *)
MODULE IntPile = Pile(Integer, IntHeap) END IntPile.
