(* Facts about the target and about the place of a call. The compiler itself implements these
   procedures; the first three may stand in constants. *)
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

(* In a handler or a FINALLY part: the address of the RT0.RaiseActivation of the exception that
   was raised; it is valid until the end of the handler. NIL if no exception was raised: in a
   FINALLY part, or in an ELSE that caught a RETURN or EXIT. May be called nowhere else. *)
PROCEDURE ThisException(): ADDRESS;

END Compiler.
