(* Simple input and output. A stream that is NIL means the standard input or output. Each Put
   flushes its stream, so many Puts cost more than Wr's procedures. A failure to write ends the
   program. *)
INTERFACE IO;

IMPORT Rd, Wr;

(* Write txt, as Wr.PutText does, a character, or a number as Fmt.Int and Fmt.Real do. *)
PROCEDURE Put(txt: TEXT; wr: Wr.T := NIL);
PROCEDURE PutChar(ch: CHAR; wr: Wr.T := NIL);
PROCEDURE PutWideChar(ch: WIDECHAR; wr: Wr.T := NIL);
PROCEDURE PutInt(n: INTEGER; wr: Wr.T := NIL);
PROCEDURE PutLongInt(n: LONGINT; wr: Wr.T := NIL);
PROCEDURE PutReal(r: REAL; wr: Wr.T := NIL);

(* Whether the input has ended. *)
PROCEDURE EOF(rd: Rd.T := NIL): BOOLEAN;

(* The input does not have the expected form, or it has ended. *)
EXCEPTION Error;

PROCEDURE GetLine(rd: Rd.T := NIL): TEXT RAISES {Error};  (* without its newline *)
PROCEDURE GetChar(rd: Rd.T := NIL): CHAR RAISES {Error};
PROCEDURE GetWideChar(rd: Rd.T := NIL): WIDECHAR RAISES {Error};

(* These skip blanks first. *)
PROCEDURE GetInt(rd: Rd.T := NIL): INTEGER RAISES {Error};
PROCEDURE GetLongInt(rd: Rd.T := NIL): LONGINT RAISES {Error};
PROCEDURE GetReal(rd: Rd.T := NIL): REAL RAISES {Error};

(* A stream for the file; NIL if the file cannot be opened. *)
PROCEDURE OpenRead(f: TEXT): Rd.T;
PROCEDURE OpenWrite(f: TEXT): Wr.T;

END IO.
