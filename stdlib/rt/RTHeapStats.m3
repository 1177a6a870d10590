UNSAFE MODULE RTHeapStats;

IMPORT RTHeapRep, RTIO, RTType, RTTypeSRC;

TYPE
  Share = RECORD
    objects, bytes: CARDINAL := 0;
  END;
  Counter = RTHeapRep.RefVisitor OBJECT
      shares: REF ARRAY OF Share;
    OVERRIDES
      visit := Count;
    END;

PROCEDURE Count(counter: Counter; tc: RTType.Typecode; <*UNUSED*> r: REFANY; size: CARDINAL)
  : BOOLEAN =
  BEGIN
    WITH share = counter.shares[tc] DO
      INC(share.objects);
      INC(share.bytes, size);
    END;
    RETURN TRUE;
  END Count;

PROCEDURE ReportReachable() =
  VAR
    counter := NEW(Counter, shares := NEW(REF ARRAY OF Share, RTType.MaxTypecode() + 1));
    total: Share;
    most: RTType.Typecode;
  BEGIN
    RTHeapRep.VisitAllRefs(counter);
    RTIO.PutText("   objects        bytes  type\n");
    LOOP
      most := 0;
      FOR tc := 1 TO LAST(counter.shares^) DO
        IF counter.shares[tc].bytes > counter.shares[most].bytes THEN most := tc END;
      END;
      WITH share = counter.shares[most] DO
        IF share.objects = 0 THEN EXIT END;
        Line(share, RTTypeSRC.TypecodeName(most));
        INC(total.objects, share.objects);
        INC(total.bytes, share.bytes);
        share := Share{};
      END;
    END;
    Line(total, "(all)");
    RTIO.Flush();
  END ReportReachable;

PROCEDURE Line(READONLY share: Share; name: TEXT) =
  BEGIN
    RTIO.PutInt(share.objects, 10);
    RTIO.PutInt(share.bytes, 13);
    RTIO.PutText("  " & name & "\n");
  END Line;

BEGIN
END RTHeapStats.
