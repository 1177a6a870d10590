INTERFACE RefTransientList = List(RootTransient, RefanyTransient) END RefTransientList.
