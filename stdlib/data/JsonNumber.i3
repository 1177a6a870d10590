(* The grammar and values of JSON's numbers; for the modules that implement Json. *)
INTERFACE JsonNumber;

(* NIL if the characters are a number of JSON; else what is wrong at the character `at`. *)
PROCEDURE Problem(READONLY chars: ARRAY OF CHAR; VAR at: CARDINAL): TEXT;

(* The value of a number is its sign, digits * 10^exponent: digits without zeros at either end, none for 0. An exponent
   beyond 10^17 is given as that. *)
TYPE
  Parts = RECORD
    negative := FALSE;
    digits := "";
    exponent: INTEGER := 0;
  END;

PROCEDURE Split(number: TEXT): Parts;

(* Whether the number is an integer that fits, and then n. *)
PROCEDURE IsInt(number: TEXT; VAR n: INTEGER): BOOLEAN;

END JsonNumber.
