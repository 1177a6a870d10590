(* golden: check *)
MODULE Main;
IMPORT Pen, PenRep;
REVEAL Pen.Name = REF INTEGER;
(* expect-error above: the revelation of Pen.Name must be written as a branded reference or object type; write BRANDED REF (9.2) *)
REVEAL Pen.Plain = BRANDED REF INTEGER;
(* expect-error above: Pen.Plain is not an opaque type (9.4) *)
REVEAL Pen.Nothing = BRANDED REF INTEGER;
(* expect-error above: interface Pen does not declare Nothing; the nearest of its names are Plain, Own, Wrong and T (20.5) *)
REVEAL Pen.Own = Pen.Own BRANDED OBJECT END;
(* expect-error above: the declaration of Pen.Own depends on itself (4) *)
REVEAL Pen.Clash <: BRANDED "c1" OBJECT END;
(* expect-error above: Pen.Clash is revealed here as ROOT BRANDED "c1" OBJECT END, elsewhere as ROOT BRANDED "c2" OBJECT END, and neither is a subtype of the other (9.8) *)
REVEAL Pen.Wrong <: REF CHAR;
(* expect-error above: Pen.Wrong cannot be revealed as REF CHAR: it was declared as a subtype of ROOT (9.8) *)
REVEAL Pen.Value <: INTEGER;
(* expect-error above: INTEGER is not a reference type (9.1) *)
VAR t: Pen.T;
BEGIN
  t.ink := 1;
  t.hidden := 2;
  (* expect-error above: Pen.T has no field or method hidden that is known here; it has ink and draw (15.3) *)
  EVAL NEW(Pen.Name);
  EVAL NEW(Pen.Unknown);
  (* expect-error above: NEW is not possible here: Pen.Unknown is known only to be a reference; call a procedure of its interface that makes one, or import the interface that reveals the type (18.4) *)
END Main.
(* unit: Pen.i3 *)
INTERFACE Pen;
TYPE
  T <: Public;
  Public = OBJECT METHODS draw(x: INTEGER) END;
  Name <: REFANY;
  Unknown <: REFANY;
  (* expect-error above: the program has no revelation of Pen.Unknown; a module reveals it: REVEAL Unknown = BRANDED ... (9.1) *)
  Plain = REF CHAR;
  Own <: ROOT;
  (* expect-error above: the program has no revelation of Pen.Own; a module reveals it: REVEAL Own = BRANDED ... (9.1) *)
  Clash <: REFANY;
  (* expect-error above: the program has no revelation of Pen.Clash; a module reveals it: REVEAL Clash = BRANDED ... (9.1) *)
  Wrong <: ROOT;
  (* expect-error above: the program has no revelation of Pen.Wrong; a module reveals it: REVEAL Wrong = BRANDED ... (9.1) *)
  Value <: REFANY;
  (* expect-error above: the program has no revelation of Pen.Value; a module reveals it: REVEAL Value = BRANDED ... (9.1) *)
  Number <: INTEGER;
  (* expect-error above: INTEGER is not a reference type (9.1) *)
END Pen.
(* unit: PenRep.i3 *)
INTERFACE PenRep;
IMPORT Pen;
REVEAL Pen.T = Pen.Public BRANDED "Pen" OBJECT ink := 0 END;
REVEAL Pen.Clash <: BRANDED "c2" OBJECT END;
END PenRep.
(* unit: Both.m3 *)
MODULE Both;
(* expect-error above: Pen.Clash is revealed here as ROOT BRANDED "c2" OBJECT END, elsewhere as ROOT BRANDED "c3" OBJECT END, and neither is a subtype of the other (9.8) *)
IMPORT PenRep, PenOther;
BEGIN
END Both.
(* unit: Both.i3 *)
INTERFACE Both;
END Both.
(* unit: PenOther.i3 *)
INTERFACE PenOther;
IMPORT Pen;
REVEAL Pen.Clash <: BRANDED "c3" OBJECT END;
END PenOther.
