MODULE SortedIntRefEnds = SortedEnds(Integer, Refany, SortedIntRefTbl) END SortedIntRefEnds.
