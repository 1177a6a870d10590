MODULE SortedIntTextEnds = SortedEnds(Integer, Text, SortedIntTextTbl) END SortedIntTextEnds.
