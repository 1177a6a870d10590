(* Flat narrow texts with spare room behind them, for texts that grow by appending a little again and
   again: the longer text then shares the array with the shorter one. *)
INTERFACE TextBuffer;

IMPORT TextClass;

TYPE
  T <: Public;
  Public = TEXT OBJECT END;

CONST
  (* Longer texts are not copied in order to give them room. *)
  MaxCopied = 4096;

(* A text of the n characters at `chars` and then the m characters at `more`, with room for as many
   again; n + m is not more than MaxCopied, and both ranges stay where they are. *)
PROCEDURE New(chars: ADDRESS; n: CARDINAL; more: ADDRESS; m: CARDINAL): TEXT;

(* t and then the m characters at `more`; NIL if that cannot be had without making another text of t
   costly: another text has the room behind t already, or t is persistent. *)
PROCEDURE Append(t: T; more: ADDRESS; m: CARDINAL): TEXT;

END TextBuffer.
