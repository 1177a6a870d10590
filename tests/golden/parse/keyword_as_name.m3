(* golden: parse *)
MODULE Main;
VAR TO: INTEGER;
(* expect-error above: TO is a keyword and cannot be a name (1.2) *)
TYPE R = RECORD FROM, VALUE: INTEGER END;
(* expect-error above: VALUE is a keyword and cannot be a name (1.2) *)
(* expect-error above: FROM is a keyword and cannot be a name (1.2) *)
BEGIN
END Main.
