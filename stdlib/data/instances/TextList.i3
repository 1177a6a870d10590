INTERFACE TextList = List(Text) END TextList.
