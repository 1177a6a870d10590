// The loop of a program that serves a store: a thread for each connection.
#pragma once

#include <string>

#include "store/serve/page_service.h"

namespace tenure::store {

// Serves connections to `listener` (ListenAtStore of the store's directory) until `ending` (a
// signalfd) can be read. Then removes the socket, closes the listener, cuts all clients off and
// returns when their threads have ended. The caller has started the service, and stops it.
void ServeConnections(PageService& service, const std::string& directory, int listener, int ending);

}  // namespace tenure::store
