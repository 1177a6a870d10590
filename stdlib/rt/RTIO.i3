(* Output on the standard error for places where streams cannot be used: no procedure here
   allocates (except the Fmt procedures) or locks. Output stays in a small buffer until Flush, or
   until the buffer is full. *)
INTERFACE RTIO;

(* A character, n of them at a, all of s or t. *)
PROCEDURE PutChar(c: CHAR);
PROCEDURE PutChars(a: ADDRESS; n: INTEGER);
PROCEDURE PutString(s: ADDRESS);  (* a C string *)
PROCEDURE PutText(t: TEXT);

(* The number, with blanks before it up to width characters. Hexadecimal numbers begin with 0x. *)
PROCEDURE PutInt(i: INTEGER; width := 0);
PROCEDURE PutHex(i: INTEGER; width := 0);
PROCEDURE PutAddr(a: ADDRESS; width := 0);
PROCEDURE PutRef(a: REFANY);
PROCEDURE PutLong(i: LONGINT);
PROCEDURE PutLongHex(i: LONGINT);

(* Print as C's %e, %f and %g. *)
PROCEDURE PutE(a: LONGREAL);
PROCEDURE PutF(a: LONGREAL);
PROCEDURE PutG(a: LONGREAL);

(* count bytes, each as two hexadecimal digits. *)
PROCEDURE PutBytes(a: ADDRESS; count: INTEGER);

(* The texts that PutHex, PutRef and PutAddr print. *)
PROCEDURE FmtHex(i: INTEGER): TEXT;
PROCEDURE FmtRef(a: REFANY): TEXT;
PROCEDURE FmtAddr(a: ADDRESS): TEXT;

(* Writes the contents of the buffer. *)
PROCEDURE Flush();

END RTIO.
