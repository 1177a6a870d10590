UNSAFE MODULE DatabaseStatistics;

IMPORT RTDatabase;

PROCEDURE Get(kind: Kind): INTEGER =
  BEGIN
    RETURN RTDatabase.Statistic(ORD(kind));
  END Get;

PROCEDURE CurrentTurn(): Turn =
  VAR turn: Turn;  waiting: INTEGER;
  BEGIN
    turn.text := RTDatabase.Turn(turn.thread, turn.since, waiting);
    turn.waiting := waiting;
    RETURN turn;
  END CurrentTurn;

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
