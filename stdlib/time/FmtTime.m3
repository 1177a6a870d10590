MODULE FmtTime;

IMPORT Date, Fmt, Time;

PROCEDURE Long(t: Time.T; z: Date.TimeZone := NIL): TEXT =
  BEGIN
    RETURN DateLong(Date.FromTime(t, z));
  END Long;

PROCEDURE Short(t: Time.T; z: Date.TimeZone := NIL): TEXT =
  BEGIN
    RETURN DateShort(Date.FromTime(t, z));
  END Short;

PROCEDURE DateLong(READONLY d: Date.T): TEXT =
  BEGIN
    RETURN Fmt.FN("%s %s %2s %02s:%02s:%02s %s %s",
                  ARRAY OF TEXT{WeekDay[d.weekDay], Month[d.month], Fmt.Int(d.day),
                                Fmt.Int(d.hour), Fmt.Int(d.minute), Fmt.Int(d.second), d.zone,
                                Fmt.Int(d.year)});
  END DateLong;

PROCEDURE DateShort(READONLY d: Date.T): TEXT =
  BEGIN
    RETURN Fmt.F("%02s-%s-%s %02s:%02s", Fmt.Int(d.day), Month[d.month], Fmt.Int(d.year),
                 Fmt.Int(d.hour), Fmt.Int(d.minute));
  END DateShort;

BEGIN
END FmtTime.
