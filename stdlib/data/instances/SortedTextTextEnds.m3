MODULE SortedTextTextEnds = SortedEnds(Text, Text, SortedTextTextTbl) END SortedTextTextEnds.
