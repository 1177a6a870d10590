(* The run time's operations on bytes, for the modules that implement texts and streams. *)
UNSAFE INTERFACE RTMemory;

(* Copies bytes, also between ranges that overlap; not for memory that holds traced references. *)
<*EXTERNAL "tn_memory_move"*>
PROCEDURE Move(to, from: ADDRESS; bytes: INTEGER);

(* -1, 0 or 1, by the bytes' unsigned values. *)
<*EXTERNAL "tn_memory_compare"*>
PROCEDURE Compare(a, b: ADDRESS; bytes: INTEGER): INTEGER;

(* Whether the ranges have equal bytes. *)
<*EXTERNAL "tn_memory_equal"*>
PROCEDURE Equal(a, b: ADDRESS; bytes: INTEGER): BOOLEAN;

(* The position of the first byte with this value, or -1. *)
<*EXTERNAL "tn_memory_find"*>
PROCEDURE Find(a: ADDRESS; bytes, byte: INTEGER): INTEGER;

(* The position of the first occurrence of the `count` bytes at b, or -1. *)
<*EXTERNAL "tn_memory_search"*>
PROCEDURE Search(a: ADDRESS; bytes: INTEGER; b: ADDRESS; count: INTEGER): INTEGER;

(* `room` begins with a count of 8 bytes, the number of used bytes behind it. If the count is
   `used`, copies `bytes` bytes from `from` behind the used bytes and increases the count; so
   only one of several threads succeeds. Copies nothing if there is not enough room. FALSE:
   nothing was done; this is always the result for an array that is persistent or about to be,
   and while a child transaction is open. *)
<*EXTERNAL "tn_memory_extend"*>
PROCEDURE Extend(room: REF ARRAY OF CHAR; used: INTEGER; from: ADDRESS; bytes: INTEGER): BOOLEAN;

(* For a text whose only fields are `room` as above and then `length`, an INTEGER: if the used
   part of the room ends with this text and there is enough room, appends the `bytes` bytes at
   `from` in the same room, and returns the longer text, of the same type. NIL: nothing was done. *)
<*EXTERNAL "tn_memory_append"*>
PROCEDURE Append(t: TEXT; from: ADDRESS; bytes: INTEGER): TEXT;

(* Append of all characters of u, a TextFlat.T8. NIL also where several threads run, or u is empty. *)
<*EXTERNAL "tn_text_append"*>
PROCEDURE AppendText(t: TEXT; u: TEXT): TEXT;

(* The characters of t and then those of u, both TextFlat.T8, as a TextFlat.T8; NIL if one is
   empty or the result would have more than `most` characters. *)
<*EXTERNAL "tn_text_join"*>
PROCEDURE Join(t, u: TEXT; most: INTEGER): TEXT;

(* Whether one of o's methods is the procedure p. *)
<*EXTERNAL "tn_has_method"*>
PROCEDURE HasMethod(o: REFANY; p: ADDRESS): BOOLEAN;

(* Sets the procedure that the run time calls to read a text that is not flat, in order to print
   it. The procedure copies at most size characters to `to` and returns their number. *)
TYPE TextReader = PROCEDURE (t: TEXT; to: ADDRESS; size: INTEGER): INTEGER;
<*EXTERNAL "tn_set_text_reader"*>
PROCEDURE SetTextReader(p: TextReader);

END RTMemory.
