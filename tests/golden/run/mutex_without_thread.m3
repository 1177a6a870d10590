(* golden: run, -w *)
(* MUTEX and LOCK need nothing imported; nor does a LOCK that stands in a generic. *)
MODULE Main;
IMPORT Instance;
VAR m: MUTEX := NEW(MUTEX);  root: ROOT;
BEGIN
  LOCK m DO Instance.Locked() END;
  TYPECASE root OF MUTEX => | ROOT => <*ASSERT FALSE*> END;
  <*ASSERT ISTYPE(m, MUTEX)*>
END Main.
(* unit: Guard.ig *)
GENERIC INTERFACE Guard();
PROCEDURE Locked();
END Guard.
(* unit: Guard.mg *)
GENERIC MODULE Guard();
VAR mu := NEW(MUTEX);
PROCEDURE Locked() = BEGIN LOCK mu DO END END Locked;
BEGIN END Guard.
(* unit: Instance.i3 *)
INTERFACE Instance = Guard() END Instance.
(* unit: Instance.m3 *)
MODULE Instance = Guard() END Instance.
