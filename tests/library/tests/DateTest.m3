MODULE DateTest;

IMPORT Date, Fmt, Test;

TYPE
  Row = RECORD
      time: LONGREAL;
      text: TEXT;
    END;

CONST
  Rows = ARRAY OF Row{
    Row{0.0d0, "1970-01-01 00:00:00, weekday 4"},
    Row{951782399.0d0, "2000-02-28 23:59:59, weekday 1"},
    Row{951868799.0d0, "2000-02-29 23:59:59, weekday 2"},
    Row{1000000000.0d0, "2001-09-09 01:46:40, weekday 0"}};

PROCEDURE TestTimesToDatesAndBack(t: Test.T) RAISES ANY =
  BEGIN
    t.each(NUMBER(Rows), CheckRow);
  END TestTimesToDatesAndBack;

PROCEDURE CheckRow(t: Test.T; row: CARDINAL) RAISES ANY =
  VAR d := Date.FromTime(Rows[row].time, Date.UTC);
  BEGIN
    t.equalText(Fmt.FN("%s-%02s-%02s %02s:%02s:%02s, weekday %s",
                       ARRAY OF TEXT{Fmt.Int(d.year), Fmt.Int(ORD(d.month) + 1), Fmt.Int(d.day),
                                     Fmt.Int(d.hour), Fmt.Int(d.minute), Fmt.Int(d.second),
                                     Fmt.Int(ORD(d.weekDay))}),
                Rows[row].text);
    t.near(Date.ToTime(d), Rows[row].time);
  END CheckRow;

BEGIN
END DateTest.
