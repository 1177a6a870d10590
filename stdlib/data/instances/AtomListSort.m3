MODULE AtomListSort = ListSort(Atom) END AtomListSort.
