(* golden: check *)
(* A name that an instance of a library generic lacks is one error, not one at each use in the
   generic's text (language.md 21.2). *)
MODULE Main;
IMPORT Tab, Pair;
VAR t := NEW(Tab.Default).init(); p, q: Pair.T;
BEGIN
  EVAL t.put(1, 2); p := Pair.Swap(q);
END Main.
(* unit: Tab.i3 *)
INTERFACE Tab = Table(Integer, Nothing) END Tab.
(* expect-error above: there is no interface Nothing; write it in Nothing.i3, or add the package that has it to the build file: import("...") (20.1) *)
(* unit: Tab.m3 *)
MODULE Tab = Table(Integer, Nothing) END Tab.
(* unit: E.i3 *)
INTERFACE E;
CONST Brand = "E";
TYPE X = INTEGER;
END E.
(* unit: P.ig *)
GENERIC INTERFACE P (Elem);
TYPE T = RECORD a, b: Elem.T END;
(* expect-error above: interface E does not declare T; generic P needs it: declare it in interface E (20.5) *)
PROCEDURE Swap (READONLY t: T): T;
PROCEDURE First (READONLY t: T): Elem.T;
PROCEDURE Make (a, b: Elem.T): T;
END P.
(* unit: P.mg *)
GENERIC MODULE P (Elem);
PROCEDURE Swap (READONLY t: T): T = BEGIN RETURN T{t.b, t.a} END Swap;
PROCEDURE First (READONLY t: T): Elem.T = VAR x: Elem.T := t.a; BEGIN RETURN x END First;
PROCEDURE Make (a, b: Elem.T): T = BEGIN RETURN T{a, b} END Make;
BEGIN
END P.
(* unit: Pair.i3 *)
INTERFACE Pair = P(E) END Pair.
(* unit: Pair.m3 *)
MODULE Pair = P(E) END Pair.
