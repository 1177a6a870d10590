(* Created by hand *)
<*EXTERNAL*>
INTERFACE CLib;
FROM Ctypes IMPORT int, char_star, double, unsigned_int;
IMPORT Ctypes;
CONST EOF = -1;
TYPE FILE = ADDRESS;
PROCEDURE abs (i: int): int;
PROCEDURE atoi (s: char_star): int;
<*EXTERNAL "atof"*> PROCEDURE AToF (s: char_star): double;
PROCEDURE srand (seed: unsigned_int);
PROCEDURE toupper (c: int): int;
VAR environ: Ctypes.char_star_star;
VAR stdout: FILE;
PROCEDURE puts(s: char_star): int;
PROCEDURE fflush(f: FILE): int;
END CLib.
