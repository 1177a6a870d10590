(* What the compiler knows about the target and about the place of a call. The compiler itself
   implements these procedures; the first three may stand in constants. *)
INTERFACE Compiler;

TYPE
  OS = {POSIX, WIN32};
  ENDIAN = {LITTLE, BIG};

CONST
  ThisOS = OS.POSIX;
  ThisOS_String = "POSIX";

  ThisEndian = ENDIAN.LITTLE;
  ThisEndian_String = "LITTLE";

(* The source file of the call, alone and with its directories; the line. *)
PROCEDURE ThisFile(): TEXT;
PROCEDURE ThisPath(): TEXT;
PROCEDURE ThisLine(): CARDINAL;

(* The exception that is being handled; not supported. *)
PROCEDURE ThisException(): ADDRESS;

END Compiler.
