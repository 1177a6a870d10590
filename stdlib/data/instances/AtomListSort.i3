INTERFACE AtomListSort = ListSort(Atom, AtomList) END AtomListSort.
