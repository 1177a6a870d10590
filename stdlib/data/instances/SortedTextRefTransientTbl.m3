MODULE SortedTextRefTransientTbl = SortedTable(RootTransient, Text, RefanyTransient, TextRefTransientTbl)
END SortedTextRefTransientTbl.
