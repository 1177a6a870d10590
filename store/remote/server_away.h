// Whether a page server is *away*: it was killed, or has ended, and may be started again. A program
// that has used the server waits for one that is away (ServerReach::MayPass), and for no other
// failure. This is the only place that decides what counts as away.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace tenure::store {

// The calls that can find that a server is away. kSend and kReceive: in any state of a connection.
enum class ServerCall : uint8_t { kConnect, kSend, kReceive };

// `error`: errno after the call; 0 from kReceive: the other side has closed the connection. While a
// killed server's socket is being taken down, connect succeeds, and the connection ends later.
bool MeansAway(ServerCall call, int error);

// For a call that failed: IsAway tells whether its error means that.
Status CallFailure(ServerCall call, int error, const std::string& text);
bool IsAway(const Status& failure);

}  // namespace tenure::store
