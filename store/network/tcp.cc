#include "store/network/tcp.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <memory>

#include "store/format/status_text.h"

namespace tenure::store {

namespace {

constexpr int kWaitingConnections = 128;
// A connection whose other side acknowledges nothing for this long has broken: less than what a
// program or a node waits for an answer.
constexpr int kBrokenAfterMs = 8000;

using Addresses = std::unique_ptr<addrinfo, void (*)(addrinfo*)>;

Result<Addresses> Resolve(const HostPort& at, int flags) {
  addrinfo hints = {};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(at.host.empty() ? nullptr : at.host.c_str(),
                                std::to_string(at.port).c_str(), &hints, &found);
  if (error != 0) {
    return Failure(StatusCode::kIo, "host " + at.host + " is not known: " + gai_strerror(error),
                   EHOSTUNREACH);
  }
  return Addresses(found, freeaddrinfo);
}

void Configure(int socket) {
  const auto set = [&](int level, int name, int value) {
    static_cast<void>(setsockopt(socket, level, name, &value, sizeof value));
  };
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  set(IPPROTO_TCP, TCP_USER_TIMEOUT, kBrokenAfterMs);
  // An idle connection breaks after the same time if the other side is gone.
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 4);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 2);
  set(IPPROTO_TCP, TCP_KEEPCNT, 2);
}

// Connected, with errno 0; or errno.
int ConnectWithin(int socket, const addrinfo& to, std::chrono::milliseconds patience) {
  if (connect(socket, to.ai_addr, to.ai_addrlen) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  const auto end = std::chrono::steady_clock::now() + patience;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return ETIMEDOUT;
    pollfd source = {socket, POLLOUT, 0};
    const int ready = poll(&source, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno != EINTR) return errno;
    if (ready <= 0) continue;
    int error = 0;
    socklen_t length = sizeof error;
    if (getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) != 0) return errno;
    return error;
  }
}

HostPort AddressOf(const sockaddr_storage& address) {
  char host[INET6_ADDRSTRLEN] = "";
  if (address.ss_family == AF_INET6) {
    const auto& six = reinterpret_cast<const sockaddr_in6&>(address);
    inet_ntop(AF_INET6, &six.sin6_addr, host, sizeof host);
    return {host, ntohs(six.sin6_port)};
  }
  const auto& four = reinterpret_cast<const sockaddr_in&>(address);
  inet_ntop(AF_INET, &four.sin_addr, host, sizeof host);
  return {host, ntohs(four.sin_port)};
}

}  // namespace

std::string HostPort::text() const {
  const bool six = host.find(':') != std::string::npos;
  return (six ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::optional<HostPort> ParseHostPort(std::string_view text) {
  HostPort result;
  std::string_view port;
  if (text.starts_with('[')) {
    const size_t end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    result.host = text.substr(1, end - 1);
    port = text.substr(end + 1);
  } else {
    const size_t colon = text.find(':');
    result.host = text.substr(0, colon);
    port = colon == std::string_view::npos ? "" : text.substr(colon);
  }
  if (result.host.empty() || result.host.size() > 255) return std::nullopt;
  for (const char c : result.host) {
    if (c <= ' ' || c == '/' || c == ',' || c == '[' || c == ']') return std::nullopt;
  }
  if (port.empty()) return result;
  const char* const end = port.data() + port.size();
  const auto [stop, error] = std::from_chars(port.data() + 1, end, result.port);
  if (port[0] != ':' || port.size() < 2 || error != std::errc() || stop != end) {
    return std::nullopt;
  }
  return result;
}

bool IsAddress(const std::string& host) {
  in6_addr address;
  return inet_pton(AF_INET, host.c_str(), &address) == 1 ||
         inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

Result<int> ConnectTcp(const HostPort& to, std::chrono::milliseconds patience) {
  TN_ASSIGN_OR_RETURN(const Addresses addresses, Resolve(to, AI_ADDRCONFIG));
  int error = EHOSTUNREACH;
  for (const addrinfo* one = addresses.get(); one != nullptr; one = one->ai_next) {
    const int made = socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made < 0) {
      error = errno;
      continue;
    }
    error = ConnectWithin(made, *one, patience);
    if (error == 0) {
      Configure(made);
      return made;
    }
    close(made);
  }
  return SystemFailure(error, "cannot reach " + to.text());
}

Result<int> ListenTcp(const HostPort& at) {
  TN_ASSIGN_OR_RETURN(const Addresses addresses, Resolve(at, AI_PASSIVE));
  int error = EADDRNOTAVAIL;
  for (const addrinfo* one = addresses.get(); one != nullptr; one = one->ai_next) {
    const int made = socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0) {
      error = errno;
      continue;
    }
    const int reuse = 1;
    setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
    if (bind(made, one->ai_addr, one->ai_addrlen) == 0 && listen(made, kWaitingConnections) == 0) {
      return made;
    }
    error = errno;
    close(made);
  }
  return SystemFailure(error, "cannot listen at " + at.text());
}

int AcceptTcp(int listener, std::string* from) {
  sockaddr_storage address = {};
  socklen_t length = sizeof address;
  const int made = accept4(listener, reinterpret_cast<sockaddr*>(&address), &length,
                           SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (made < 0) return made;
  Configure(made);
  *from = AddressOf(address).text();
  return made;
}

HostPort BoundTo(int socket) {
  sockaddr_storage address = {};
  socklen_t length = sizeof address;
  static_cast<void>(getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length));
  return AddressOf(address);
}

bool IsBoundToAll(int socket) {
  const std::string host = BoundTo(socket).host;
  return host == "0.0.0.0" || host == "::";
}

}  // namespace tenure::store
