INTERFACE IntChannel = Channel(Integer) END IntChannel.
