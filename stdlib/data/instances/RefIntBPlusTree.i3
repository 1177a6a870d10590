INTERFACE RefIntBPlusTree = BPlusTree(Refany, Integer, SortedRefIntTbl) END RefIntBPlusTree.
