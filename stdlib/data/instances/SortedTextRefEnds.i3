INTERFACE SortedTextRefEnds = SortedEnds(Text, Refany, SortedTextRefTbl) END SortedTextRefEnds.
