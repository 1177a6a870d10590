MODULE SortedTextRefEnds = SortedEnds(Text, Refany, SortedTextRefTbl) END SortedTextRefEnds.
