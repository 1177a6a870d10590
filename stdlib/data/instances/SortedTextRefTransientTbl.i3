INTERFACE SortedTextRefTransientTbl = SortedTable(RootTransient, Text, TextRefTransientTbl)
END SortedTextRefTransientTbl.
