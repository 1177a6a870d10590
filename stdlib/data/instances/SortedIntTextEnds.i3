INTERFACE SortedIntTextEnds = SortedEnds(Integer, Text, SortedIntTextTbl) END SortedIntTextEnds.
