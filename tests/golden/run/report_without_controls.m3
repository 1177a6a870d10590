(* golden: run, -w *)
(* The report of an error is for people: texts of it, which may come from anywhere, change nothing on a terminal. The
   characters that would do so stand as escapes (language.md 13.2). *)
MODULE Main;

EXCEPTION Failed(TEXT);

<*FATAL ANY*>

BEGIN
  RAISE Failed("a\233b\033[31mc\177d\r\n  next\tline");
END Main.
(* expect-stderr: *** unhandled exception: Main.Failed: a\233b\033[31mc\177d\015 *)
(* expect-status: 4 *)
