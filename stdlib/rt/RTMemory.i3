(* The run time's operations on bytes, for the modules that implement texts and streams. *)
UNSAFE INTERFACE RTMemory;

(* Copies bytes, also between ranges that overlap; not for memory that holds traced references. *)
<*EXTERNAL "tn_memory_move"*>
PROCEDURE Move(to, from: ADDRESS; bytes: INTEGER);

(* -1, 0 or 1, by the bytes' unsigned values. *)
<*EXTERNAL "tn_memory_compare"*>
PROCEDURE Compare(a, b: ADDRESS; bytes: INTEGER): INTEGER;

(* Whether the ranges hold the same. *)
<*EXTERNAL "tn_memory_equal"*>
PROCEDURE Equal(a, b: ADDRESS; bytes: INTEGER): BOOLEAN;

(* The position of the first such byte, or -1. *)
<*EXTERNAL "tn_memory_find"*>
PROCEDURE Find(a: ADDRESS; bytes, byte: INTEGER): INTEGER;

(* The position of the first place where the `count` bytes at b are, or -1. *)
<*EXTERNAL "tn_memory_search"*>
PROCEDURE Search(a: ADDRESS; bytes: INTEGER; b: ADDRESS; count: INTEGER): INTEGER;

(* Puts `bytes` bytes from `from` behind the first `used` of `room`, whose first 8 bytes are the number
   that is used and lie before these; only if that is `used`, and then it grows, so that of several
   threads one succeeds. What does not fit is not copied. FALSE: nothing was done; always so for an
   array that is persistent, or about to be, and while a child transaction is open. *)
<*EXTERNAL "tn_memory_extend"*>
PROCEDURE Extend(room: REF ARRAY OF CHAR; used: INTEGER; from: ADDRESS; bytes: INTEGER): BOOLEAN;

(* For a text whose only fields are `room` as above and then `length`, an INTEGER: where the room ends
   with it, and there is as much of it, a text of the same type that goes on with the `bytes` bytes at
   `from` in the same room. NIL: nothing was done. *)
<*EXTERNAL "tn_memory_append"*>
PROCEDURE Append(t: TEXT; from: ADDRESS; bytes: INTEGER): TEXT;

(* Append of all characters of u, a TextFlat.T8. NIL also where several threads run, or u is empty. *)
<*EXTERNAL "tn_text_append"*>
PROCEDURE AppendText(t: TEXT; u: TEXT): TEXT;

(* The characters of t and then those of u, both TextFlat.T8, as such a text; NIL if one is empty or they
   are more than `most`. *)
<*EXTERNAL "tn_text_join"*>
PROCEDURE Join(t, u: TEXT; most: INTEGER): TEXT;

(* Whether one of o's methods is the procedure p. *)
<*EXTERNAL "tn_has_method"*>
PROCEDURE HasMethod(o: REFANY; p: ADDRESS): BOOLEAN;

(* What the run time calls to read a text that is not flat, in order to print it: it copies at most
   size characters to `to` and answers how many. *)
TYPE TextReader = PROCEDURE(t: TEXT; to: ADDRESS; size: INTEGER): INTEGER;
<*EXTERNAL "tn_set_text_reader"*>
PROCEDURE SetTextReader(p: TextReader);

END RTMemory.
