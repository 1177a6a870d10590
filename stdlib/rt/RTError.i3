(* Fatal errors: each procedure ends the program like a run-time error, with its texts as the
   message. ReportPC only prints the message. *)
INTERFACE RTError;

(* file may be NIL. *)
PROCEDURE Msg(file: TEXT; line: INTEGER; a, b, c: TEXT := NIL);
PROCEDURE MsgS(file: ADDRESS; line: INTEGER; a, b, c: TEXT := NIL);  (* a C string *)

(* msg, then i. *)
PROCEDURE MsgI(file: TEXT; line: INTEGER; msg: TEXT := NIL; i: INTEGER);

(* pc is an address of code. *)
PROCEDURE MsgPC(pc: INTEGER; a, b, c: TEXT := NIL);
PROCEDURE ReportPC(pc: INTEGER; a, b, c: TEXT := NIL);

END RTError.
