MODULE RefListSort = ListSort(Refany) END RefListSort.
