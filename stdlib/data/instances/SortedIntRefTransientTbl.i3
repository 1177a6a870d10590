INTERFACE SortedIntRefTransientTbl = SortedTable(RootTransient, Integer, IntRefTransientTbl)
END SortedIntRefTransientTbl.
