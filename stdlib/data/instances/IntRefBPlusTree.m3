MODULE IntRefBPlusTree = BPlusTree(Integer, Refany, IntRefTbl, SortedIntRefTbl) END IntRefBPlusTree.
