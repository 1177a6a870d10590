UNSAFE INTERFACE CStuff;
IMPORT Ctypes;
FROM Ctypes IMPORT int, char, short, double, unsigned_char, char_star, void_star, float, const_char_star;
TYPE
  stuff_t = RECORD a: int; b: char; c: short; d: double; bits: unsigned_char END;
  stuff_star = UNTRACED REF stuff_t;
  CompareProc = <*CALLBACK*> PROCEDURE(a, b: ADDRESS): int;
<*EXTERNAL stuff_counter*> VAR counter: int;
<*EXTERNAL*> PROCEDURE stuff_fill(VAR s: stuff_t; n: int): int;
<*EXTERNAL "stuff_fill"*> PROCEDURE Fill(s: stuff_star; n: int): int;
<*EXTERNAL stuff_name:C*> PROCEDURE Name(): char_star;
<*EXTERNAL "stuff_sort"*> PROCEDURE Sort(base: void_star; n, size: int; cmp: CompareProc);
<*EXTERNAL stuff_make*> PROCEDURE Make(n: int): stuff_t;
<*EXTERNAL stuff_sum*> PROCEDURE Sum(s: stuff_t; f: float): double;
<*EXTERNAL strlen*> PROCEDURE strlen(s: const_char_star): Ctypes.unsigned_long;
<*EXTERNAL*> PROCEDURE getenv(name: char_star): char_star;
END CStuff.
