MODULE SortedTextRefPrefix = SortedPrefix(Refany, SortedTextRefTbl) END SortedTextRefPrefix.
