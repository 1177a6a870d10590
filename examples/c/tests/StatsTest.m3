(* What comes back from C. *)
MODULE StatsTest EXPORTS Main;

IMPORT Stats, Text;

TYPE Numbers = ARRAY OF LONGREAL;

BEGIN
  WITH summary = Stats.Summarize(Numbers{2.0D0, 4.0D0, 4.0D0, 4.0D0, 5.0D0, 5.0D0, 7.0D0, 9.0D0}) DO
    <*ASSERT summary.count = 8 AND summary.mean = 5.0D0 AND summary.deviation = 2.0D0*>
  END;
  <*ASSERT Stats.Summarize(Numbers{}).count = 0*>
  <*ASSERT Stats.Words("").size() = 0*>
  WITH words = Stats.Words("from C  and back", 2) DO
    <*ASSERT words.size() = 2 AND Text.Equal(words.get(1), "C")*>
  END;
END StatsTest.
