(* golden: run *)
MODULE Main;

IMPORT Date, Fmt, IO;

<*FATAL Date.Error*>

PROCEDURE Show(t: LONGREAL) =
  VAR d := Date.FromTime(t, Date.UTC);
  BEGIN
    IO.Put(Fmt.FN("%s-%02s-%02s %02s:%02s:%02s, weekday %s, back %s\n",
                  ARRAY OF TEXT{Fmt.Int(d.year), Fmt.Int(ORD(d.month) + 1), Fmt.Int(d.day),
                                Fmt.Int(d.hour), Fmt.Int(d.minute), Fmt.Int(d.second),
                                Fmt.Int(ORD(d.weekDay)),
                                Fmt.LongReal(Date.ToTime(d), Fmt.Style.Fix, 0)}));
  END Show;

BEGIN
  Show(0.0d0);
  Show(951782399.0d0);
  Show(1000000000.0d0);
END Main.
(* expect: 1970-01-01 00:00:00, weekday 4, back 0 *)
(* expect: 2000-02-28 23:59:59, weekday 1, back 951782399 *)
(* expect: 2001-09-09 01:46:40, weekday 0, back 1000000000 *)
