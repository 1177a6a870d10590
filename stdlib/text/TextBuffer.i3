(* Flat narrow texts with spare room behind them, for texts that grow by appending a little again and
   again: the longer text then shares the array with the shorter one. *)
INTERFACE TextBuffer;

IMPORT TextClass;

TYPE
  T <: Public;
  Public = TEXT OBJECT END;

CONST
  (* Texts longer than this are not copied to give them spare room. *)
  MaxCopied = 4096;

(* A text of the n characters at `chars` and then the m characters at `more`, with spare room for
   as many again. n + m must be at most MaxCopied, and both ranges must not move during the call. *)
PROCEDURE New(chars: ADDRESS; n: CARDINAL; more: ADDRESS; m: CARDINAL): TEXT;

(* The characters of t and then the m characters at `more`, in t's array. NIL if the array cannot
   be used: another text already uses the room behind t, or t is persistent. *)
PROCEDURE Append(t: T; more: ADDRESS; m: CARDINAL): TEXT;

END TextBuffer.
