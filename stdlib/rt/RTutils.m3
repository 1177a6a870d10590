UNSAFE MODULE RTutils;

IMPORT IntArraySort, RTHeapRep, RTIO, RTType, RTTypeSRC;

TYPE
  Share = RECORD
    objects, bytes: INTEGER := 0;
  END;
  Shares = REF ARRAY OF Share;
  Counter = RTHeapRep.RefVisitor OBJECT
      shares: Shares;
    OVERRIDES
      visit := Count;
    END;

VAR
  mu := NEW(MUTEX);
  last: Shares := NIL;  (* values at the previous call *)

PROCEDURE Heap(suppressZeros: BOOLEAN; presentation: HeapPresentation; window: INTEGER) =
  BEGIN
    Report(suppressZeros, presentation, window, sinceLast := FALSE);
  END Heap;

PROCEDURE NewHeap(suppressZeros: BOOLEAN; presentation: HeapPresentation; window: INTEGER) =
  BEGIN
    Report(suppressZeros, presentation, window, sinceLast := TRUE);
  END NewHeap;

PROCEDURE Count(counter: Counter; tc: RTType.Typecode; <*UNUSED*> r: REFANY; size: CARDINAL)
  : BOOLEAN =
  BEGIN
    WITH share = counter.shares[tc] DO
      INC(share.objects);
      INC(share.bytes, size);
    END;
    RETURN TRUE;
  END Count;

PROCEDURE Report(suppressZeros: BOOLEAN; presentation: HeapPresentation; window: INTEGER;
                 sinceLast: BOOLEAN) =
  VAR
    types := RTType.MaxTypecode() + 1;
    counter := NEW(Counter, shares := NEW(Shares, types));
    order := NEW(REF ARRAY OF INTEGER, types);
    shown := NEW(Shares, types);
    total: Share;
  BEGIN
    RTHeapRep.VisitAllRefs(counter);
    shown^ := counter.shares^;
    LOCK mu DO
      IF sinceLast AND last # NIL THEN
        FOR tc := 0 TO types - 1 DO
          DEC(shown[tc].objects, last[tc].objects);
          DEC(shown[tc].bytes, last[tc].bytes);
        END;
      END;
      last := counter.shares;
    END;
    Order(order^, shown^, presentation);
    RTIO.PutText("  code    objects        bytes  type\n");
    FOR i := 0 TO types - 1 DO
      WITH share = shown[order[i]] DO
        INC(total.objects, share.objects);
        INC(total.bytes, share.bytes);
        IF window > 0 AND (share.objects # 0 OR share.bytes # 0 OR NOT suppressZeros) THEN
          DEC(window);
          RTIO.PutInt(order[i], 6);
          Line(share, RTTypeSRC.TypecodeName(order[i]));
        END;
      END;
    END;
    RTIO.PutText("      ");
    Line(total, "(all)");
    RTIO.Flush();
  END Report;

PROCEDURE Order(VAR order: ARRAY OF INTEGER; READONLY shares: ARRAY OF Share;
                presentation: HeapPresentation) =
  PROCEDURE Compare(a, b: INTEGER): [-1 .. 1] =
    VAR x := 0; y := 0;
    BEGIN
      CASE presentation OF
      | HeapPresentation.ByTypecode =>
      | HeapPresentation.ByNumber => x := shares[a].objects; y := shares[b].objects;
      | HeapPresentation.ByByteCount => x := shares[a].bytes; y := shares[b].bytes;
      END;
      IF x > y THEN RETURN -1 ELSIF x < y THEN RETURN 1 END;
      RETURN ORD(a > b) - ORD(a < b);
    END Compare;
  BEGIN
    FOR tc := 0 TO LAST(order) DO order[tc] := tc END;
    IntArraySort.Sort(order, Compare);
  END Order;

PROCEDURE Line(READONLY share: Share; name: TEXT) =
  BEGIN
    RTIO.PutInt(share.objects, 11);
    RTIO.PutInt(share.bytes, 13);
    RTIO.PutText("  " & name & "\n");
  END Line;

PROCEDURE TypeName(ref: REFANY): TEXT =
  BEGIN
    RETURN RTTypeSRC.TypeName(ref);
  END TypeName;

PROCEDURE TypecodeName(tc: CARDINAL): TEXT =
  BEGIN
    RETURN RTTypeSRC.TypecodeName(tc);
  END TypecodeName;

BEGIN
END RTutils.
