(* Work on bytes. *)
INTERFACE RTMisc;

(* Copies len bytes, also between ranges that overlap; not for memory with traced references. *)
PROCEDURE Copy(src, dest: ADDRESS; len: INTEGER);
PROCEDURE Zero(dest: ADDRESS; len: INTEGER);

(* The least address that is at least a, and the least number that is at least x, that are multiples
   of y. *)
PROCEDURE Align(a: ADDRESS; y: INTEGER): ADDRESS;
PROCEDURE Upper(x, y: INTEGER): INTEGER;

END RTMisc.
