(* golden: run *)
MODULE Main;

IMPORT Fmt, IO;

PROCEDURE P(t: TEXT) =
  BEGIN
    IO.Put("[" & t & "]\n");
  END P;

BEGIN
  P(Fmt.Bool(TRUE) & Fmt.Bool(FALSE) & Fmt.Char('c'));
  P(Fmt.Int(0) & " " & Fmt.Int(-12) & " " & Fmt.Int(FIRST(INTEGER)) & " " & Fmt.Int(LAST(INTEGER)));
  P(Fmt.Int(255, 16) & " " & Fmt.Int(-255, 2) & " " & Fmt.Int(FIRST(INTEGER), 16));
  P(Fmt.Unsigned(-1) & " " & Fmt.Unsigned(-1, 10) & " " & Fmt.Unsigned(10));
  P(Fmt.LongInt(-77L) & " " & Fmt.LongUnsigned(-1L));
  P(Fmt.Pad("ab", 5) & Fmt.Pad("ab", 5, '.', Fmt.Align.Left) & Fmt.Pad("abcdef", 5));
  P(Fmt.F("%s and %s", "one", "two"));
  P(Fmt.F("%5s|%-5s|%05s|%", "a", "b", "42"));
  P(Fmt.F("100%: %d %%s", "x"));
  P(Fmt.FN("%s%s%s%s%s%s", ARRAY OF TEXT{"1", "2", "3", "4", "5", "6"}));
END Main.
(* expect: [TRUEFALSEc] *)
(* expect: [0 -12 -9223372036854775808 9223372036854775807] *)
(* expect: [ff -11111111 -8000000000000000] *)
(* expect: [ffffffffffffffff 18446744073709551615 a] *)
(* expect: [-77 ffffffffffffffff] *)
(* expect: [   abab...abcdef] *)
(* expect: [one and two] *)
(* expect: [    a|b    |00042|%] *)
(* expect: [100%: %d %x] *)
(* expect: [123456] *)
