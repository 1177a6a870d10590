(* golden: check *)
MODULE Main;
IMPORT Wrong, Twice;
BEGIN
END Main.
(* unit: Wrong.i3 *)
INTERFACE Right;
(* expect-error above: interface Right must be in the file Right.i3; rename the file, or the unit: Wrong (20.12) *)
END Right.
(* unit: Twice.i3 *)
INTERFACE Twice;
END Twice.
(* unit: Other.i3 *)
INTERFACE Twice;
(* expect-error above: the program has two units of the name interface Twice; rename the file, or the unit: Other (22.1) *)
END Twice.
(* unit: Misplaced.m3 *)
GENERIC MODULE Misplaced(A);
(* expect-error above: Misplaced is generic: it belongs in a file that ends in .ig or .mg (20.12) *)
BEGIN
END Misplaced.
