UNSAFE MODULE DatabaseStatistics;

IMPORT RTDatabase;

PROCEDURE Get(kind: Kind): INTEGER =
  BEGIN
    RETURN RTDatabase.Statistic(ORD(kind));
  END Get;

PROCEDURE ReportCommits(on: BOOLEAN) =
  BEGIN
    RTDatabase.ReportCommits(on);
  END ReportCommits;

PROCEDURE CommitReport(): TEXT =
  BEGIN
    RETURN RTDatabase.CommitReport();
  END CommitReport;

BEGIN
END DatabaseStatistics.
