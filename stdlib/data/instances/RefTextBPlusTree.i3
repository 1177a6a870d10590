INTERFACE RefTextBPlusTree = BPlusTree(Refany, Text, SortedRefTextTbl) END RefTextBPlusTree.
