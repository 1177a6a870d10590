// Addresses, connections and listeners of TCP.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tenure::store {

inline constexpr uint16_t kClusterPort = 7300;

struct HostPort {
  std::string host;  // a name, or an address of IPv4 or IPv6 without brackets
  uint16_t port = kClusterPort;

  std::string text() const;  // "host:port", "[::1]:port"
  bool operator==(const HostPort&) const = default;
};

// Reads "HOST", "HOST:PORT" or "[ADDRESS]:PORT". Nothing: the text has another form.
std::optional<HostPort> ParseHostPort(std::string_view text);
// Whether it is an address rather than a name.
bool IsAddress(const std::string& host);

// A connected socket, which breaks when the other side has answered nothing for some seconds.
// kIo, with errno. The caller's.
Result<int> ConnectTcp(const HostPort& to, std::chrono::milliseconds patience);
// Listens on all addresses of the host. kIo with errno. The caller's.
Result<int> ListenTcp(const HostPort& at);
// A connection to a listener, with the same settings as ConnectTcp. Negative with errno. *from is
// where it comes from.
int AcceptTcp(int listener, std::string* from);
// The address that the socket is bound to.
HostPort BoundTo(int socket);
// Whether the socket listens at all addresses of the machine (0.0.0.0, [::], *): nobody can be told
// to connect to such an address.
bool IsBoundToAll(int socket);

}  // namespace tenure::store
