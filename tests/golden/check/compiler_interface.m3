(* golden: check *)
MODULE Main;
IMPORT Compiler;
CONST Line = Compiler.ThisLine();
VAR n := Line; t := Compiler.ThisFile() & Compiler.ThisPath();
BEGIN
  IF t = NIL THEN n := 1 END;
  EVAL Compiler.ThisException();
  (* expect-error above: ThisException of interface Compiler is not supported here (25.4) *)
END Main.
(* unit: Compiler.i3 *)
INTERFACE Compiler;
PROCEDURE ThisFile(): TEXT;
PROCEDURE ThisPath(): TEXT;
PROCEDURE ThisLine(): CARDINAL;
PROCEDURE ThisException(): ADDRESS;
END Compiler.
