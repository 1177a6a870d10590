MODULE Stat;

IMPORT Fmt, Math, Real, Thread, Wr;

PROCEDURE Init(VAR s: T) =
  BEGIN
    s.num := 0.0d0;
    s.mean := 0.0d0;
    s.variance := 0.0d0;
    s.maximum := -Real.MaxFinite;
    s.minimum := Real.MaxFinite;
  END Init;

PROCEDURE Accum(VAR s: T; x: REAL) =
  VAR one: T;
  BEGIN
    one.num := 1.0d0;
    one.mean := FLOAT(x, LONGREAL);
    one.variance := 0.0d0;
    one.maximum := x;
    one.minimum := x;
    s := Combine(s, one);
  END Accum;

PROCEDURE Combine(READONLY r, s: T): T =
  VAR result: T;  distance := s.mean - r.mean;
  BEGIN
    IF r.num = 0.0d0 THEN RETURN s END;
    IF s.num = 0.0d0 THEN RETURN r END;
    result.num := r.num + s.num;
    result.mean := r.mean + distance * (s.num / result.num);
    (* Sums of squares around the two means, moved to the common mean (Chan, Golub & LeVeque
       1983). *)
    result.variance := (r.variance * r.num + s.variance * s.num
                          + distance * distance * r.num * (s.num / result.num)) / result.num;
    result.maximum := MAX(r.maximum, s.maximum);
    result.minimum := MIN(r.minimum, s.minimum);
    RETURN result;
  END Combine;

PROCEDURE Num(READONLY s: T): REAL =
  BEGIN
    RETURN FLOAT(s.num, REAL);
  END Num;

PROCEDURE Max(READONLY s: T): REAL =
  BEGIN
    RETURN s.maximum;
  END Max;

PROCEDURE Min(READONLY s: T): REAL =
  BEGIN
    RETURN s.minimum;
  END Min;

PROCEDURE Mean(READONLY s: T): REAL =
  BEGIN
    RETURN FLOAT(s.mean, REAL);
  END Mean;

PROCEDURE Var(READONLY s: T): REAL =
  BEGIN
    RETURN FLOAT(s.variance, REAL);
  END Var;

PROCEDURE SDev(READONLY s: T): REAL =
  BEGIN
    RETURN FLOAT(Math.sqrt(s.variance), REAL);
  END SDev;

PROCEDURE RMS(READONLY s: T): REAL =
  BEGIN
    RETURN FLOAT(Math.sqrt(s.variance + s.mean * s.mean), REAL);
  END RMS;

PROCEDURE Print(wr: Wr.T; READONLY s: T) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    Wr.PutText(wr, Fmt.F("num %s, min %s, max %s", Fmt.Real(Num(s)), Fmt.Real(Min(s)),
                         Fmt.Real(Max(s))));
    Wr.PutText(wr, Fmt.F(", mean %s, sdev %s, rms %s\n", Fmt.Real(Mean(s)), Fmt.Real(SDev(s)),
                         Fmt.Real(RMS(s))));
  END Print;

BEGIN
END Stat.
