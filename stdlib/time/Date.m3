UNSAFE MODULE Date;

IMPORT RTSystem, Time;

REVEAL
  TimeZone = BRANDED "Date.TimeZone" REF BOOLEAN;  (* whether it is UTC *)

PROCEDURE FromTime(t: Time.T; z: TimeZone := NIL): T =
  VAR p: ARRAY [0..7] OF INTEGER;  d: T;
  BEGIN
    IF z = NIL THEN z := Local END;
    d.zone := RTSystem.TimePieces(t, z^, p);
    d.year := p[0];
    d.month := VAL(p[1], Month);
    d.day := p[2];
    d.hour := p[3];
    d.minute := p[4];
    d.second := p[5];
    d.offset := p[6];
    d.weekDay := VAL(p[7], WeekDay);
    RETURN d;
  END FromTime;

PROCEDURE ToTime(READONLY d: T): Time.T RAISES {Error} =
  VAR
    p := ARRAY [0..6] OF INTEGER{d.year, ORD(d.month), d.day, d.hour, d.minute, d.second, d.offset};
    t := RTSystem.TimeFromPieces(p);
  BEGIN
    IF t # t THEN RAISE Error END;  (* a NaN *)
    RETURN t;
  END ToTime;

BEGIN
  Local := NEW(TimeZone);
  Local^ := FALSE;
  UTC := NEW(TimeZone);
  UTC^ := TRUE;
END Date.
