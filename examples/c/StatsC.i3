(* The procedures of stats.c. A C struct is a record, a C array an open array, which is passed as its
   address and its length; see docs/guide/c.md. *)
<*EXTERNAL*> UNSAFE INTERFACE StatsC;

FROM Ctypes IMPORT const_char_star, int;

TYPE
  Summary = RECORD
    count: [-16_7FFFFFFF - 1 .. 16_7FFFFFFF];  (* int32_t *)
    mean, deviation: LONGREAL;
  END;

  Visit = PROCEDURE (context: ADDRESS; word: const_char_star): int;

PROCEDURE summarize(READONLY values: ARRAY OF LONGREAL; VAR result: Summary);
PROCEDURE each_word(text: const_char_star; visit: Visit; context: ADDRESS): int;

END StatsC.
