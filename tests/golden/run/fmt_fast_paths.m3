(* golden: run *)
(* Numbers at the limits of Fmt's fast paths. *)
MODULE Main;

IMPORT Fmt, IO;

PROCEDURE R(x: LONGREAL) =
  BEGIN
    IO.Put(Fmt.LongReal(x) & "\n");
  END R;

BEGIN
  R(0.0d0);           (* expect: 0 *)
  R(-0.0d0);          (* expect: -0 *)
  R(0.00001d0);       (* expect: 0.00001 *)
  R(0.000009d0);      (* expect: 9e-6 *)
  R(-0.25d0);         (* expect: -0.25 *)
  R(1.0d0);           (* expect: 1 *)
  R(999999.0d0);      (* expect: 999999 *)
  R(999999.9999d0);   (* expect: 999999.9999 *)
  R(1000000.0d0);     (* expect: 1e6 *)
  R(-123456.0d0);     (* expect: -123456 *)
  R(0.1d0 + 0.2d0);   (* expect: 0.30000000000000004 *)
  IO.Put(Fmt.Int(FIRST(INTEGER)) & "\n");       (* expect: -9223372036854775808 *)
  IO.Put(Fmt.Int(0) & "\n");                    (* expect: 0 *)
  IO.Put(Fmt.Int(-255, 16) & "\n");             (* expect: -ff *)
  IO.Put(Fmt.Int(FIRST(INTEGER), 2) & "\n");
  (* expect: -1000000000000000000000000000000000000000000000000000000000000000 *)
  IO.Put(Fmt.Unsigned(-1) & "\n");              (* expect: ffffffffffffffff *)
  IO.Put(Fmt.Unsigned(-1, 10) & "\n");          (* expect: 18446744073709551615 *)
END Main.
