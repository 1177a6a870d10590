MODULE TextList = List(Text) END TextList.
