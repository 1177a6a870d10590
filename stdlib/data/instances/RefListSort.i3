INTERFACE RefListSort = ListSort(Refany, RefList) END RefListSort.
