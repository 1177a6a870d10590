(* Values as texts.

   Example:

       MODULE Main;
       IMPORT Fmt, IO;
       BEGIN
         IO.Put(Fmt.F("%s of %5s|%-5s|\n", Fmt.Int(3), "ten", "left"));
         IO.Put(Fmt.LongReal(2.0D0 / 3.0D0, Fmt.Style.Fix, 3) & " " & Fmt.Int(255, base := 16) & "\n");
       END Main.

   It prints

       3 of   ten|left |
       0.667 ff
*)
INTERFACE Fmt;

IMPORT Word, Long, Real AS R, LongReal AS LR, Extended AS ER;

PROCEDURE Bool(b: BOOLEAN): TEXT;  (* "TRUE" or "FALSE" *)
PROCEDURE Char(c: CHAR): TEXT;

TYPE
  Base = [2..16];

(* Digits a to f in lower case, no prefix; the unsigned forms read n as a word. *)
PROCEDURE Int(n: INTEGER; base: Base := 10): TEXT;
PROCEDURE Unsigned(n: Word.T; base: Base := 16): TEXT;
PROCEDURE LongInt(n: LONGINT; base: Base := 10): TEXT;
PROCEDURE LongUnsigned(n: Long.T; base: Base := 16): TEXT;

TYPE
  Style = {
    Sci,   (* a blank or a minus sign, and d.ddde+dd with prec digits after the point and an exponent of
              fixed width, so that the numbers of a table have one length *)
    Fix,   (* ddd.ddd, with prec digits after the point *)
    Auto   (* the fewest digits that read back as x, at most prec + 1; with an exponent only if
              it is >= 6 or <= -6 *)
  };

(* The digits are the fewest that read back as x. If prec is greater than their number, zeros
   follow; if it is smaller, x is rounded correctly. If literal, the text is a literal of
   Modula-3 of the type of x. Infinities and NaNs are "Infinity", "-Infinity" and "NaN". *)
PROCEDURE Real(x: REAL; style := Style.Auto; prec: CARDINAL := R.MaxSignifDigits - 1;
               literal := FALSE): TEXT;
PROCEDURE LongReal(x: LONGREAL; style := Style.Auto; prec: CARDINAL := LR.MaxSignifDigits - 1;
                   literal := FALSE): TEXT;
PROCEDURE Extended(x: EXTENDED; style := Style.Auto; prec: CARDINAL := ER.MaxSignifDigits - 1;
                   literal := FALSE): TEXT;

TYPE
  Align = {Left, Right};  (* the side on which the text lies *)

(* text, padded with padChar to `length` characters; a longer text is not changed. *)
PROCEDURE Pad(text: TEXT; length: CARDINAL; padChar: CHAR := ' ';
              align: Align := Align.Right): TEXT;

(* fmt with each %s replaced by the next text. %Ns pads it to width N, %-Ns does so on the right;
   a width that begins with 0 pads with zeros. Any other % is copied. It is a checked run-time
   error if the number of texts differs from the number of places, or if a text that is not NIL
   follows a NIL. *)
PROCEDURE F(fmt: TEXT; t1, t2, t3, t4, t5: TEXT := NIL): TEXT;
PROCEDURE FN(fmt: TEXT; READONLY texts: ARRAY OF TEXT): TEXT;

END Fmt.
