(* Procedures of C's stdlib.h, as in C. exit runs C's exit actions, including those of the run
   time. Actions registered by atexit run with the exitors of Process, in whatever way the
   program ends. *)
INTERFACE Cstdlib;

FROM Ctypes IMPORT int, char_star, const_char_star, char_star_star, double, void_star;
FROM Cstddef IMPORT size_t;

<*EXTERNAL*> PROCEDURE abort();
<*EXTERNAL "tn_unix_atexit"*> PROCEDURE atexit(func: PROCEDURE ()): int;
<*EXTERNAL*> PROCEDURE exit(status: int);
<*EXTERNAL*> PROCEDURE getenv(name: const_char_star): char_star;
<*EXTERNAL*> PROCEDURE system(string: const_char_star): int;
<*EXTERNAL*> PROCEDURE malloc(size: size_t): void_star;
<*EXTERNAL*> PROCEDURE calloc(count, size: size_t): void_star;
<*EXTERNAL*> PROCEDURE free(ptr: void_star);
<*EXTERNAL*> PROCEDURE strtod(str: const_char_star; ptr: char_star_star): double;
<*EXTERNAL*> PROCEDURE atof(str: const_char_star): double;

END Cstdlib.
