MODULE PlainTextArraySort = ArraySort(Text) END PlainTextArraySort.
