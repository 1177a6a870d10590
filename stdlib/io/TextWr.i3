(* Writers whose contents become a text; not seekable.

   Example:

       MODULE Main;
       IMPORT Fmt, IO, TextWr, Wr;
       <*FATAL ANY*>
       VAR wr := TextWr.New();
       BEGIN
         FOR i := 1 TO 3 DO Wr.PutText(wr, Fmt.Int(i * i) & ";") END;
         IO.Put(TextWr.ToText(wr) & "\n");
       END Main.

   It prints

       1;4;9;
*)
INTERFACE TextWr;

IMPORT Wr;

TYPE
  T <: Public;
  Public = Wr.T OBJECT METHODS
    (* Makes the writer empty. *)
    init(): T;
  END;

PROCEDURE New(): T;

(* The characters written since the writer was made or since the last ToText; makes the writer
   empty. *)
PROCEDURE ToText(wr: T): TEXT;

END TextWr.
