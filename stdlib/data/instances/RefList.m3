MODULE RefList = List(Refany) END RefList.
