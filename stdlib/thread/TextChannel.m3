MODULE TextChannel = Channel(Text) END TextChannel.
