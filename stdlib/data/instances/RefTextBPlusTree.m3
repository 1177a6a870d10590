MODULE RefTextBPlusTree = BPlusTree(Refany, Text, RefTextTbl, SortedRefTextTbl) END RefTextBPlusTree.
