INTERFACE SortedTextTextEnds = SortedEnds(Text, Text, SortedTextTextTbl) END SortedTextTextEnds.
