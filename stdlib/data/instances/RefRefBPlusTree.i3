INTERFACE RefRefBPlusTree = BPlusTree(Refany, Refany, SortedRefRefTbl) END RefRefBPlusTree.
