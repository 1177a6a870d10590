(* Work on bytes. *)
INTERFACE RTMisc;

(* Copies len bytes, also between ranges that overlap; not for memory with traced references. *)
PROCEDURE Copy(src, dest: ADDRESS; len: INTEGER);
PROCEDURE Zero(dest: ADDRESS; len: INTEGER);

(* The least multiple of y that is >= a, as an address; the least multiple of y that is >= x. *)
PROCEDURE Align(a: ADDRESS; y: INTEGER): ADDRESS;
PROCEDURE Upper(x, y: INTEGER): INTEGER;

END RTMisc.
