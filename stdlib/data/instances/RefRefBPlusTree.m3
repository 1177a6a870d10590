MODULE RefRefBPlusTree = BPlusTree(Refany, Refany, RefRefTbl, SortedRefRefTbl) END RefRefBPlusTree.
