(* What comes back from C. *)
MODULE StatsTest;

IMPORT Stats, Test;

TYPE Numbers = ARRAY OF LONGREAL;

PROCEDURE TestSummaryOfNumbers(t: Test.T) =
  BEGIN
    WITH summary = Stats.Summarize(Numbers{2.0D0, 4.0D0, 4.0D0, 4.0D0, 5.0D0, 5.0D0, 7.0D0, 9.0D0}) DO
      t.equalInt(summary.count, 8);
      t.near(summary.mean, 5.0D0);
      t.near(summary.deviation, 2.0D0);
    END;
    t.equalInt(Stats.Summarize(Numbers{}).count, 0);
  END TestSummaryOfNumbers;

PROCEDURE TestWords(t: Test.T) =
  BEGIN
    t.equalInt(Stats.Words("").size(), 0);
    WITH words = Stats.Words("from C  and back", 2) DO
      t.equalInt(words.size(), 2);
      t.equalText(words.get(1), "C");
    END;
  END TestWords;

BEGIN
END StatsTest.
