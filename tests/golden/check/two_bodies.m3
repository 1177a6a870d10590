(* golden: check *)
MODULE Main;
IMPORT Work;
BEGIN
  Work.P();
END Main.
(* unit: Work.i3 *)
INTERFACE Work;
PROCEDURE P();
END Work.
(* unit: WorkA.m3 *)
MODULE WorkA EXPORTS Work;
PROCEDURE P() = BEGIN END P;
BEGIN
END WorkA.
(* unit: WorkB.m3 *)
MODULE WorkB EXPORTS Work;
PROCEDURE P() = BEGIN END P;
(* expect-error above: Work.P has a body in another module already (11.1) *)
BEGIN
END WorkB.
