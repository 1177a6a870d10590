(* golden: lex *)
MODULE Main;
CONST
  Largest = 9223372036854775807;
  MinusOne = 16_FFFFFFFFFFFFFFFF;
  Long = 16_ffL;
  A = 9223372036854775808;
  (* expect-error above: 9223372036854775808 is larger than LAST(INTEGER) (1.8) *)
  B = 99999999999999999999999L;
  (* expect-error above: is larger than LAST(LONGINT) (1.8) *)
  C = 16_10000000000000000;
  (* expect-error above: 16_10000000000000000 does not fit in 64 bits (1.8) *)
  D = 17_1;
  (* expect-error above: the base of a number is from 2 to 16, not 17 (1.8) *)
  E = 16_;
  (* expect-error above: '16_' must be followed by digits (1.8) *)
  F = 8_18;
  (* expect-error above: '8' is not a digit of base 8 (1.8) *)
BEGIN
END Main.
