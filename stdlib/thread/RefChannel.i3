INTERFACE RefChannel = Channel(Refany) END RefChannel.
