MODULE RefChannel = Channel(Refany) END RefChannel.
