// The C side of the library's sockets. An end point is Socket.EndPoint; failures are -errno.

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "runtime/heap/text.h"
#include "runtime/sessions/io_buffer.h"
#include "runtime/threads/file_waits.h"
#include "runtime/threads/own_errno.h"
#include "runtime/threads/safepoint.h"

using namespace tenure::runtime;
using tenure::abi::Ref;

namespace {

// Socket.EndPoint: addresses as the network has them, so the first byte is the most significant.
struct EndPoint {
  uint8_t is_ipv6;
  uint32_t address[4];
  uint16_t port;
};
static_assert(sizeof(EndPoint) == 24);

union Address {
  sockaddr generic;
  sockaddr_in ipv4;
  sockaddr_in6 ipv6;
};

int Fd(int64_t fd) { return static_cast<int>(fd); }

int64_t OrErrno(int64_t result) { return result < 0 ? -errno : result; }

socklen_t FromEndPoint(const EndPoint& end, Address* address) {
  std::memset(address, 0, sizeof *address);
  if (end.is_ipv6 != 0) {
    address->ipv6.sin6_family = AF_INET6;
    address->ipv6.sin6_port = htons(end.port);
    std::memcpy(&address->ipv6.sin6_addr, end.address, 16);
    return sizeof(sockaddr_in6);
  }
  address->ipv4.sin_family = AF_INET;
  address->ipv4.sin_port = htons(end.port);
  std::memcpy(&address->ipv4.sin_addr, end.address, 4);
  return sizeof(sockaddr_in);
}

EndPoint ToEndPoint(const Address& address) {
  EndPoint end = {};
  if (address.generic.sa_family == AF_INET6) {
    end.is_ipv6 = 1;
    std::memcpy(end.address, &address.ipv6.sin6_addr, 16);
    end.port = ntohs(address.ipv6.sin6_port);
  } else if (address.generic.sa_family == AF_INET) {
    std::memcpy(end.address, &address.ipv4.sin_addr, 4);
    end.port = ntohs(address.ipv4.sin_port);
  }
  return end;
}

// Waits, in spite of signals, until the socket is ready.
void Await(int64_t fd, short events) {
  pollfd poll_fd = {Fd(fd), events, 0};
  while (poll(&poll_fd, 1, -1) < 0 && errno == EINTR) {
  }
}

// A socket has the family of its first address: it is made for IPv4, and made anew, before it has
// any other state, when an address of IPv6 comes.
int64_t MatchFamily(int64_t fd, const EndPoint& end) {
  int family = 0;
  int type = 0;
  socklen_t length = sizeof family;
  if (getsockopt(Fd(fd), SOL_SOCKET, SO_DOMAIN, &family, &length) != 0) return -errno;
  length = sizeof type;
  if (getsockopt(Fd(fd), SOL_SOCKET, SO_TYPE, &type, &length) != 0) return -errno;
  const int wanted = end.is_ipv6 != 0 ? AF_INET6 : AF_INET;
  if (family == wanted) return 0;
  const int other = socket(wanted, type | SOCK_CLOEXEC, 0);
  if (other < 0) return -errno;
  const int result = dup3(other, Fd(fd), O_CLOEXEC);
  const int error = errno;
  close(other);
  return result < 0 ? -error : 0;
}

}  // namespace

extern "C" {

int64_t tn_socket_create(int64_t reliable) {
  return OrErrno(socket(AF_INET, (reliable != 0 ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC, 0));
}

int64_t tn_socket_bind(int64_t fd, const EndPoint* end) {
  const int64_t matched = MatchFamily(fd, *end);
  if (matched < 0) return matched;
  // A server that is started again gets its port, even while old connections linger.
  const int yes = 1;
  setsockopt(Fd(fd), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  Address address;
  const socklen_t length = FromEndPoint(*end, &address);
  return OrErrno(bind(Fd(fd), &address.generic, length));
}

int64_t tn_socket_connect(int64_t fd, const EndPoint* end) {
  const int64_t matched = MatchFamily(fd, *end);
  if (matched < 0) return matched;
  Address address;
  const socklen_t length = FromEndPoint(*end, &address);
  if (connect(Fd(fd), &address.generic, length) == 0) return 0;
  if (errno != EINTR) return -errno;
  // Interrupted, the connection is still being made.
  Await(fd, POLLOUT);
  int error = 0;
  socklen_t error_length = sizeof error;
  if (getsockopt(Fd(fd), SOL_SOCKET, SO_ERROR, &error, &error_length) != 0) return -errno;
  return -error;
}

int64_t tn_socket_listen(int64_t fd, int64_t queue) {
  return OrErrno(listen(Fd(fd), static_cast<int>(queue > SOMAXCONN ? SOMAXCONN : queue)));
}

int64_t tn_socket_accept(int64_t fd) {
  for (;;) {
    AwaitInput(Fd(fd));
    const int accepted = accept4(Fd(fd), nullptr, nullptr, SOCK_CLOEXEC);
    if (accepted >= 0) return accepted;
    if (const int error = OwnErrno(); error != EINTR && error != ECONNABORTED) return -error;
  }
}

int64_t tn_socket_this_end(int64_t fd, EndPoint* end) {
  Address address = {};
  socklen_t length = sizeof address;
  if (getsockname(Fd(fd), &address.generic, &length) != 0) return -errno;
  *end = ToEndPoint(address);
  return 0;
}

int64_t tn_socket_other_end(int64_t fd, EndPoint* end) {
  Address address = {};
  socklen_t length = sizeof address;
  if (getpeername(Fd(fd), &address.generic, &length) != 0) return -errno;
  *end = ToEndPoint(address);
  return 0;
}

int64_t tn_socket_peek(int64_t fd, EndPoint* end) {
  Address address = {};
  char byte;
  for (;;) {
    AwaitInput(Fd(fd));
    socklen_t length = sizeof address;
    if (recvfrom(Fd(fd), &byte, 1, MSG_PEEK, &address.generic, &length) >= 0) break;
    if (const int error = OwnErrno(); error != EINTR) return -error;
  }
  *end = ToEndPoint(address);
  return 0;
}

int64_t tn_socket_send_to(int64_t fd, const EndPoint* end, const char* buffer, int64_t count) {
  const int64_t matched = MatchFamily(fd, *end);
  if (matched < 0) return matched;
  Address address;
  const socklen_t length = FromEndPoint(*end, &address);
  const auto bytes = static_cast<size_t>(count);
  return CallWithBuffer(
      [&] { TouchForReading(buffer, bytes); },
      [&] { return sendto(Fd(fd), buffer, bytes, MSG_NOSIGNAL, &address.generic, length); });
}

int64_t tn_socket_receive_from(int64_t fd, EndPoint* end, char* buffer, int64_t count,
                               int64_t may_block) {
  Address address = {};
  const auto bytes = static_cast<size_t>(count);
  const int64_t result =
      CallWithBuffer([&] { TouchForWriting(buffer, bytes); },
                     [&] {
                       if (may_block != 0) AwaitInput(Fd(fd));
                       socklen_t length = sizeof address;
                       return recvfrom(Fd(fd), buffer, bytes, may_block != 0 ? 0 : MSG_DONTWAIT,
                                       &address.generic, &length);
                     });
  if (result >= 0) *end = ToEndPoint(address);
  return result;
}

int64_t tn_socket_shut_down(int64_t fd, int64_t how) {
  return OrErrno(shutdown(Fd(fd), static_cast<int>(how)));
}

namespace {

constexpr uint8_t kLoopback[4] = {127, 0, 0, 1};

// "localhost", and each name that ends in ".localhost", is this machine unless a file or server
// says otherwise (RFC 6761, 6.3).
bool IsLocalhost(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (name.ends_with('.')) name.pop_back();
  return name == "localhost" || name.ends_with(".localhost");
}

}  // namespace

// The first IPv4 address of a name, in network order, with result 1; 0 if the name is unknown, or
// the negative code of getaddrinfo.
int64_t tn_host_address(const char* name, int64_t length, uint8_t* address) {
  const std::string host(name, static_cast<size_t>(length));
  if (IsLocalhost(host)) {
    std::memcpy(address, kLoopback, sizeof kLoopback);
    return 1;
  }
  addrinfo hints = {};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  int result;
  {
    const SafeRegion waiting;
    result = getaddrinfo(host.c_str(), nullptr, &hints, &found);
  }
  if (result == EAI_NONAME || result == EAI_NODATA) return 0;
  if (result != 0) return -std::abs(result);
  std::memcpy(address, &reinterpret_cast<sockaddr_in*>(found->ai_addr)->sin_addr, 4);
  freeaddrinfo(found);
  return 1;
}

// The name that the system knows for an address of IPv4; null if there is none.
Ref tn_host_name(const uint8_t* address) {
  sockaddr_in of = {};
  of.sin_family = AF_INET;
  std::memcpy(&of.sin_addr, address, 4);
  char name[NI_MAXHOST];
  int result;
  {
    const SafeRegion waiting;
    result = getnameinfo(reinterpret_cast<sockaddr*>(&of), sizeof of, name, sizeof name, nullptr, 0,
                         NI_NAMEREQD);
  }
  if (result == 0) return NewText(name);
  return std::memcmp(address, kLoopback, sizeof kLoopback) == 0 ? NewText("localhost") : nullptr;
}

}  // extern "C"
