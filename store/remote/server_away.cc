#include "store/remote/server_away.h"

#include <cerrno>

#include "store/format/status_text.h"

namespace tenure::store {

namespace {

// The number of the failures that mean away, whatever the error was. A node of a cluster answers
// with it, too, when another node takes over.
constexpr int64_t kAway = EAGAIN;

}  // namespace

bool MeansAway(ServerCall call, int error) {
  switch (call) {
    case ServerCall::kConnect:
      switch (error) {
        case ENOENT:        // no socket: the server has ended, or is being started
        case ECONNREFUSED:  // the socket of a server that was killed
        case ECONNRESET:
        case ETIMEDOUT:
        case EAGAIN: return true;  // too many programs connect at the same time
        default: return false;     // a permission, a wrong path, too few descriptors
      }
    case ServerCall::kSend:
      switch (error) {
        case EPIPE:
        case ECONNRESET:
        case ENOTCONN:
        case ETIMEDOUT:
        case EAGAIN: return true;  // nobody has taken the message for kAnswerSeconds
        default: return false;
      }
    case ServerCall::kReceive:
      switch (error) {
        case 0:
        case ECONNRESET:
        case ENOTCONN:
        case ETIMEDOUT:
        case EAGAIN: return true;  // no answer for kAnswerSeconds
        default: return false;     // EBADMSG: what listens there is no page server
      }
  }
  return false;
}

Status CallFailure(ServerCall call, int error, const std::string& text) {
  if (MeansAway(call, error)) {
    const Status why = error == 0 ? Failure(StatusCode::kIo, text + ": the connection was closed")
                                  : SystemFailure(error, text);
    return Failure(StatusCode::kIo, why.text(), kAway);
  }
  if (error == EBADMSG) return Failure(StatusCode::kCorrupt, text + ": its answer makes no sense");
  return SystemFailure(error, text);
}

bool IsAway(const Status& failure) {
  return failure.code() == StatusCode::kIo && failure.number() == kAway;
}

}  // namespace tenure::store
