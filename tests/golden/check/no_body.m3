(* golden: check *)
MODULE Main;
IMPORT Work;
BEGIN
  Work.Done();
  (* expect-error above: Work.Done has no body in the program; interface Work has no module: write MODULE Work in Work.m3 (11.1) *)
END Main.
(* unit: Work.i3 *)
INTERFACE Work;
PROCEDURE Done();
PROCEDURE NeverUsed();
END Work.
