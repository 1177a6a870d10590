INTERFACE SortedTextRefPrefix = SortedPrefix(Refany, SortedTextRefTbl) END SortedTextRefPrefix.
