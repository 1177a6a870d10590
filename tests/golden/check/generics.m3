(* golden: check *)
MODULE Main;
IMPORT IntBox, BadBox, NoBox, FewBox;
VAR b := IntBox.Make(3);
BEGIN
  IF b.value = "no" THEN b := BadBox.x; b := NoBox.x; b := FewBox.x END;
  (* expect-error above: = does not compare INTEGER and TEXT; Scan.Int("no") reads a number from a text, and raises Lex.Error if there is none (16.4) *)
  (* expect-error above: interface BadBox does not declare x; it has T and Make (20.5) *)
END Main.
(* unit: Elem.i3 *)
INTERFACE Elem;
TYPE T = INTEGER;
CONST Brand = "Elem";
END Elem.
(* unit: Box.ig *)
GENERIC INTERFACE Box(Element);
TYPE T = BRANDED "Box-" & Element.Brand REF RECORD value: Element.T END;
(* expect-error above: interface Bare does not declare Brand; generic Box needs it: declare it in interface Bare (20.5) *)
PROCEDURE Make(value: Element.T): T;
END Box.
(* unit: Box.mg *)
GENERIC MODULE Box(Element);
PROCEDURE Make(value: Element.T): T =
  BEGIN
    RETURN NEW(T, value := value);
  END Make;
BEGIN
END Box.
(* unit: IntBox.i3 *)
INTERFACE IntBox = Box(Elem) END IntBox.
(* unit: IntBox.m3 *)
MODULE IntBox = Box(Elem) END IntBox.
(* unit: BadBox.i3 *)
INTERFACE BadBox = Box(Bare) END BadBox.
(* unit: Bare.i3 *)
INTERFACE Bare;
TYPE T = INTEGER;
END Bare.
(* unit: NoBox.i3 *)
INTERFACE NoBox = Bax(Elem) END NoBox.
(* expect-error above: there is no generic interface Bax (21.1) *)
(* unit: FewBox.i3 *)
INTERFACE FewBox = Box(Elem, Elem) END FewBox.
(* expect-error above: wrong number of interfaces for generic Box: expected 1, found 2; an interface for each of Element (21.2) *)
(* unit: Liar.ig *)
GENERIC INTERFACE Truth();
(* expect-error above: this is not the generic interface Liar (21.1) *)
END Truth.
(* unit: LiarBox.i3 *)
INTERFACE LiarBox = Liar() END LiarBox.
