MODULE Usage;

IMPORT
  DatabaseStatistics, FileRd, FloatMode, Fmt, IO, Lex, OSError, Rd, Text, TextRd, Thread, Tick,
  Uresource;

PROCEDURE Now(): T =
  VAR spent: T;  usage: Uresource.struct_rusage;
  BEGIN
    spent.elapsed := Tick.ToSeconds(Tick.Now());
    FOR c := FIRST(Counter) TO LAST(Counter) DO spent.counters[c] := DatabaseStatistics.Get(c) END;
    EVAL Uresource.getrusage(Uresource.RUSAGE_SELF, usage);
    spent.user := usage.ru_utime.tv_sec * 1000000 + usage.ru_utime.tv_usec;
    spent.system := usage.ru_stime.tv_sec * 1000000 + usage.ru_stime.tv_usec;
    RETURN spent;
  END Now;

PROCEDURE Start(): T =
  VAR spent := Now();
  BEGIN
    spent.elapsed := Tick.ToSeconds(Tick.Now());
    RETURN spent;
  END Start;

CONST
  CounterNames = ARRAY Counter OF TEXT{
    "read_faults", "write_faults", "pages_read", "bytes_read", "pages_written", "bytes_written",
    "commits", "objects_persisted", "bytes_persisted", "objects_moved_home", "objects_displaced",
    "pages_governed", "log_bytes", "syncs", "largest_group", "twins_made", "twins_compared_early",
    "pages_read_ahead", "pages_opened_together", "pages_opened_unwritten", "pages_kept_open",
    "pages_dropped", "pages_spilled", "barrier_calls", "blocks_marked", "blocks_copied",
    "pages_shipped", "regions_shipped", "missed_barriers"};

PROCEDURE Tell(what: TEXT; count: INTEGER; READONLY from, to: T; repeats: CARDINAL := 1) =
  BEGIN
    IO.Put(Fmt.F("%s count %s elapsed_us %s", what, Fmt.Int(count),
                 Fmt.LongReal((to.elapsed - from.elapsed) * 1.0d6, Fmt.Style.Fix, 2)));
    IO.Put(Fmt.F(" user_us %s system_us %s repeats %s", Fmt.Int(to.user - from.user),
                 Fmt.Int(to.system - from.system), Fmt.Int(repeats)));
    FOR c := FIRST(Counter) TO LAST(Counter) DO
      IF to.counters[c] # from.counters[c] THEN
        IO.Put(Fmt.F(" %s %s", CounterNames[c], Fmt.Int(to.counters[c] - from.counters[c])));
      END;
    END;
    IO.Put("\n");
  END Tell;

PROCEDURE TellMemory() =
  CONST Name = "VmHWM:";
  <*FATAL Lex.Error, FloatMode.Trap, OSError.E, Rd.Failure, Thread.Alerted*>
  VAR rd := FileRd.Open("/proc/self/status");  line: TEXT;
  BEGIN
    TRY
      LOOP
        line := Rd.GetLine(rd);
        IF Text.Equal(Text.Sub(line, 0, Text.Length(Name)), Name) THEN
          line := Text.Sub(line, Text.Length(Name));
          IO.Put(Fmt.F("memory peak_kb %s\n", Fmt.Int(Lex.Int(TextRd.New(line)))));
        END;
      END;
    EXCEPT
      Rd.EndOfFile => (* all seen *)
    END;
    Rd.Close(rd);
  END TellMemory;

BEGIN
END Usage.
