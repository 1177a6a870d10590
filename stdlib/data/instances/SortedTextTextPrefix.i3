INTERFACE SortedTextTextPrefix = SortedPrefix(Text, SortedTextTextTbl) END SortedTextTextPrefix.
