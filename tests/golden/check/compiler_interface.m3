(* golden: check *)
MODULE Main;
IMPORT Compiler;
CONST Line = Compiler.ThisLine();
VAR n := Line; t := Compiler.ThisFile() & Compiler.ThisPath();
BEGIN
  IF t = NIL THEN n := 1 END;
  EVAL Compiler.ThisException();
  (* expect-error above: ThisException may be called only in a handler or a FINALLY part of this body (25.4) *)
  TRY
    EVAL Compiler.ThisException();  (* expect-error: ThisException may be called only in a handler or a FINALLY part *)
  FINALLY
    EVAL Compiler.ThisException();
      PROCEDURE Local() =
        BEGIN
          EVAL Compiler.ThisException();  (* expect-error: ThisException may be called only in a handler or a FINALLY part *)
        END Local;
    BEGIN
      Local();
    END;
  END;
END Main.
(* unit: Compiler.i3 *)
INTERFACE Compiler;
PROCEDURE ThisFile(): TEXT;
PROCEDURE ThisPath(): TEXT;
PROCEDURE ThisLine(): CARDINAL;
PROCEDURE ThisException(): ADDRESS;
END Compiler.
