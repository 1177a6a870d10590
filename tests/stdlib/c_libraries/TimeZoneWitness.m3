(* "date ZONE SECOND": the date, the offset, whether it is daylight saving time, and the abbreviation;
   "time ZONE CHOICE YEAR MONTH DAY HOUR MINUTE SECOND": the second. A zone with a comma is a rule. *)
MODULE TimeZoneWitness EXPORTS Main;

IMPORT Date, Fmt, Scan, Text, TimeZone, Witness;

PROCEDURE Zone(name: TEXT): TimeZone.T RAISES ANY =
  BEGIN
    IF Text.FindChar(name, ',') >= 0 THEN RETURN TimeZone.FromRule(name) END;
    RETURN TimeZone.Named(name);
  END Zone;

VAR
  zone: TimeZone.T := NIL;

PROCEDURE Answer(READONLY w: Witness.Words): TEXT RAISES ANY =
  BEGIN
    IF zone = NIL OR NOT Text.Equal(TimeZone.Name(zone), w[1]) THEN zone := Zone(w[1]) END;
    IF Text.Equal(w[0], "time") THEN
      RETURN Fmt.Int(ROUND(TimeZone.ToTime(
                             Date.T{Scan.Int(w[3]), VAL(Scan.Int(w[4]) - 1, Date.Month), Scan.Int(w[5]),
                                    Scan.Int(w[6]), Scan.Int(w[7]), Scan.Int(w[8]), 0, "",
                                    Date.WeekDay.Sun}, zone, VAL(Scan.Int(w[2]), TimeZone.Choice))));
    END;
    WITH t = FLOAT(Scan.Int(w[2]), LONGREAL), d = TimeZone.ToDate(t, zone) DO
      <*ASSERT d.offset = -TimeZone.Offset(t, zone)*>
      RETURN Fmt.FN("%s-%02s-%02s %02s:%02s:%02s %s %s %s",
                    ARRAY OF TEXT{Fmt.Int(d.year), Fmt.Int(ORD(d.month) + 1), Fmt.Int(d.day),
                                  Fmt.Int(d.hour), Fmt.Int(d.minute), Fmt.Int(d.second),
                                  Fmt.Int(-d.offset), Fmt.Int(ORD(TimeZone.IsDaylight(t, zone))), d.zone});
    END;
  END Answer;

BEGIN
  Witness.Run(Answer);
END TimeZoneWitness.
