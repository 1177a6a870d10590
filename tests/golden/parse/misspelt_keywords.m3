(* golden: parse *)
(* A misspelt word that is nearly a keyword counts as the keyword, so that no further error is
   reported (2). *)
MODULE Main;

TYPE R = RECRD a, b: INTEGER END;
(* expect-error above: expected RECORD, found identifier RECRD (2.4) *)
     A = ARAY [0..3] OF R;
     (* expect-error above: expected ARRAY, found identifier ARAY (2.4) *)

PROCEDUR P (n: INTEGER) = BEGIN EVAL n END P;
(* expect-error above: expected PROCEDURE, found identifier PROCEDUR (2.2) *)

FUNCTION F (n: INTEGER): INTEGER = BEGIN RETURN n END F;
(* expect-error above: 'FUNCTION' is not Modula-3: procedures with and without a result are PROCEDURE F(x: INTEGER): INTEGER = BEGIN ... END F; (2.2) *)

PROCEDURE Q (n: INTEGER) INTEGER =
(* expect-error above: expected ':' before the type of the result, found identifier INTEGER (2.2) *)
  BEGIN
    IF n = 1 THN
    (* expect-error above: expected THEN, found identifier THN (2.3) *)
      RETRUN 2
      (* expect-error above: expected RETURN, found identifier RETRUN (2.3) *)
    ELSEIF n = 2 THEN
    (* expect-error above: expected ELSIF, found identifier ELSEIF (2.3) *)
      WIHLE n = 2 DO DEC(n) END;
      (* expect-error above: expected WHILE, found identifier WIHLE (2.3) *)
    END;
    FOR i := 1 10 DO INC(n, i) END;
    (* expect-error above: expected TO, found number 10 (2.3) *)
    RETURN n;
  END Q;

PROCEDURE S (n: INTEGER = BEGIN EVAL n END S;
(* expect-error above: expected ';' or ')' to close '(', found '=' (2) *)

PROCEDURE U () = EVAL Q(1); END U;
(* expect-error above: expected a declaration, BEGIN or END, found EVAL (2.2) *)

VAR r: R;  end: INTEGER;  Types: A;

BEGNI
(* expect-error above: expected BEGIN, found identifier BEGNI (2.2) *)
  P(Q(r.a)); S(3); U(); end := Types[0].a;
END Main.
