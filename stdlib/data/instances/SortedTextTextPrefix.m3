MODULE SortedTextTextPrefix = SortedPrefix(Text, SortedTextTextTbl) END SortedTextTextPrefix.
