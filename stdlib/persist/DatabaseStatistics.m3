UNSAFE MODULE DatabaseStatistics;

IMPORT RTDatabase;

PROCEDURE Get(kind: Kind): INTEGER =
  BEGIN
    RETURN RTDatabase.Statistic(ORD(kind));
  END Get;

BEGIN
END DatabaseStatistics.
