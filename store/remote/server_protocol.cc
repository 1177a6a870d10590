#include "store/remote/server_protocol.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>

#include "base/crc32c.h"
#include "base/worker_thread.h"
#include "store/files/descriptor.h"
#include "store/files/held_directory.h"
#include "store/files/store_io.h"
#include "store/format/page_record.h"
#include "store/format/status_text.h"

namespace tenure::store {

namespace {

struct Header {
  uint32_t magic;
  uint32_t bytes;     // of the body
  uint32_t checksum;  // CRC-32C of the body
  MessageKind kind;
  uint16_t zero;
  uint64_t number;
};
static_assert(sizeof(Header) == 24);

constexpr uint32_t kMagic = 0x54'4e'50'53;

// As recv. A file that comes with the bytes is stored in *descriptor, unless that is null.
ssize_t Receive(int socket, std::byte* to, size_t bytes, int* descriptor) {
  if (descriptor == nullptr) return recv(socket, to, bytes, 0);
  iovec part = {to, bytes};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (got < 0) return got;
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS ||
      header->cmsg_len != CMSG_LEN(sizeof(int))) {
    return got;
  }
  int file;
  std::memcpy(&file, CMSG_DATA(header), sizeof file);
  if (*descriptor >= 0) {
    close(file);
  } else {
    *descriptor = file;
  }
  return got;
}

bool ReceiveAll(int socket, std::byte* to, size_t bytes, int* descriptor = nullptr) {
  while (bytes > 0) {
    const ssize_t got = Receive(socket, to, bytes, descriptor);
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = 0;
    if (got <= 0) return false;
    to += got;
    bytes -= static_cast<size_t>(got);
  }
  return true;
}

sockaddr_un AddressOf(const char* path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  return address;
}

// Calls `use` in a thread whose working directory is `folder`; -1 with errno.
int InDirectory(int folder, const std::function<int()>& use) {
  int result = -1, error = EAGAIN;
  WorkerThread thread;
  const bool started = thread.Start([&] {
    result = unshare(CLONE_FS) == 0 && fchdir(folder) == 0 ? use() : -1;
    error = errno;
  });
  if (started) thread.Join();
  errno = error;
  return result;
}

// Socket addresses are short, so the path names the directory by its descriptor. Without /proc a
// thread changes into the directory.
int WithAddress(int folder, int made, int (*use)(int, const sockaddr_un&)) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/self/fd/%d/.", folder);
  if (access(path, F_OK) != 0) {
    return InDirectory(folder, [&] { return use(made, AddressOf(kSocketName)); });
  }
  std::snprintf(path, sizeof path, "/proc/self/fd/%d/%s", folder, kSocketName);
  return use(made, AddressOf(path));
}

// A socket that `use` has connected or bound to SOCKET in the directory; -1 with errno.
int SocketIn(int folder, int (*use)(int, const sockaddr_un&)) {
  const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0 || WithAddress(folder, made, use) == 0) return made;
  const int error = errno;
  close(made);
  errno = error;
  return -1;
}

}  // namespace

Status Reader::GetStatus() {
  const auto code = static_cast<uint8_t>(Get<StatusCode>());
  const auto number = Get<int64_t>();
  const std::string text = GetText();
  if (!ok() || code > static_cast<uint8_t>(StatusCode::kNotSupported)) {
    Fail();
    return Status(StatusCode::kCorrupt, "the page server's answer is none");
  }
  if (code == 0) return Status::Ok();
  return Failure(static_cast<StatusCode>(code), text, number);
}

Status BadAnswer() {
  return Status(StatusCode::kCorrupt, "the page server's answer is not one to the request");
}

void PutImports(Writer& out, std::span<const ImportEntry> entries) {
  out.Put(static_cast<uint32_t>(entries.size()));
  for (const ImportEntry& entry : entries) {
    out.Put(entry.database);
    out.PutText(entry.store);
    out.PutText(entry.name);
    out.Put(entry.export_number);
    out.Put(entry.export_tag);
    out.Put(entry.lineage);
  }
}

std::vector<ImportEntry> GetImports(Reader& in) {
  // The size of an entry with empty texts: uuid, two lengths, three numbers.
  constexpr size_t kLeastBytes = sizeof(Uuid) + 2 * sizeof(uint32_t) + 3 * sizeof(uint64_t);
  std::vector<ImportEntry> entries(in.GetCount(kLeastBytes));
  for (ImportEntry& entry : entries) {
    entry.database = in.Get<Uuid>();
    entry.store = in.GetText();
    entry.name = in.GetText();
    entry.export_number = in.Get<uint64_t>();
    entry.export_tag = in.Get<uint64_t>();
    entry.lineage = in.Get<uint64_t>();
  }
  return entries;
}

void PutExports(Writer& out, std::span<const ExportEntry> entries) {
  out.Put(static_cast<uint32_t>(entries.size()));
  for (const ExportEntry& entry : entries) {
    out.Put(entry.object.bits);
    out.Put(entry.tag);
  }
}

std::vector<ExportEntry> GetExports(Reader& in) {
  std::vector<ExportEntry> entries(in.GetCount(2 * sizeof(uint64_t)));
  for (ExportEntry& entry : entries) {
    entry.object.bits = in.Get<uint64_t>();
    entry.tag = in.Get<uint64_t>();
  }
  return entries;
}

void PutCandidates(Writer& out, std::span<const Candidate> candidates) {
  out.Put(static_cast<uint32_t>(candidates.size()));
  for (const Candidate& candidate : candidates) {
    out.Put(candidate.object);
    out.Put(candidate.bytes);
  }
}

std::optional<std::vector<Candidate>> GetCandidates(Reader& in) {
  std::vector<Candidate> candidates(in.GetCount(sizeof(PersistentRef) + sizeof(uint64_t)));
  uint64_t previous = 0;
  for (Candidate& candidate : candidates) {
    candidate.object = in.Get<PersistentRef>();
    candidate.bytes = in.Get<uint64_t>();
    if (!candidate.object.well_formed_object() || candidate.object.bits <= previous) {
      return std::nullopt;
    }
    previous = candidate.object.bits;
  }
  if (!in.ok()) return std::nullopt;
  return candidates;
}

void PutRelease(Writer& out, uint32_t remote, PageId page, bool keep_read) {
  out.Put(remote);
  out.Put(page.number);
  out.Put(static_cast<uint8_t>(keep_read));
}

void PutFlags(Writer& out, const std::vector<bool>& flags) {
  out.Put(static_cast<uint32_t>(flags.size()));
  for (const bool flag : flags) out.Put(static_cast<uint8_t>(flag));
}

std::vector<bool> GetFlags(Reader& in) {
  std::vector<bool> flags(in.GetCount(sizeof(uint8_t)));
  for (size_t i = 0; i < flags.size(); ++i) flags[i] = in.Get<uint8_t>() != 0;
  return flags;
}

namespace {

constexpr size_t kParts = 3;

bool Send(int socket, MessageKind kind, uint64_t number, std::span<const std::byte> head,
          std::span<const std::byte> rest, bool wait, bool* sent_nothing, int descriptor) {
  if (sent_nothing != nullptr) *sent_nothing = false;
  const size_t bytes = head.size() + rest.size();
  if (bytes > kMessageBytesMax) return false;
  const Header header = {
      kMagic, static_cast<uint32_t>(bytes), Crc32c(Crc32c(0, head), rest), kind, 0, number};
  iovec parts[kParts] = {{const_cast<Header*>(&header), sizeof header},
                         {const_cast<std::byte*>(head.data()), head.size()},
                         {const_cast<std::byte*>(rest.data()), rest.size()}};
  size_t first = 0;
  bool begun = false;
  while (first < kParts) {
    if (parts[first].iov_len == 0) {
      ++first;
      continue;
    }
    msghdr message = {};
    message.msg_iov = parts + first;
    message.msg_iovlen = kParts - first;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    if (descriptor >= 0 && !begun) {
      message.msg_control = control;
      message.msg_controllen = sizeof control;
      cmsghdr* const header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(sizeof(int));
      std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    const ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL | (wait ? 0 : MSG_DONTWAIT));
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) {
      if (sent_nothing != nullptr) *sent_nothing = !begun && errno == EAGAIN;
      return false;
    }
    begun = true;
    auto left = static_cast<size_t>(sent);
    for (size_t i = first; i < kParts && left > 0; ++i) {
      const size_t here = std::min(left, parts[i].iov_len);
      parts[i].iov_base = static_cast<char*>(parts[i].iov_base) + here;
      parts[i].iov_len -= here;
      left -= here;
    }
  }
  return true;
}

}  // namespace

bool SendMessage(int socket, MessageKind kind, uint64_t number, std::span<const std::byte> body,
                 bool wait, bool* sent_nothing, int descriptor) {
  return Send(socket, kind, number, {}, body, wait, sent_nothing, descriptor);
}

bool SendInParts(int socket, MessageKind kind, uint64_t number, std::span<const std::byte> head,
                 std::span<const std::byte> rest) {
  return Send(socket, kind, number, head, rest, /*wait=*/true, /*sent_nothing=*/nullptr,
              /*descriptor=*/-1);
}

bool ReceiveMessage(int socket, Message* message, size_t most, int* descriptor) {
  if (descriptor != nullptr) *descriptor = -1;
  Header header;
  if (!ReceiveAll(socket, reinterpret_cast<std::byte*>(&header), sizeof header, descriptor)) {
    return false;
  }
  const auto malformed = [] {
    errno = EBADMSG;
    return false;
  };
  if (header.magic != kMagic || header.zero != 0 || header.bytes > most) return malformed();
  message->kind = header.kind;
  message->number = header.number;
  message->body.clear();
  // Grows with what really comes: a length alone takes no memory.
  constexpr size_t kStep = 1 << 20;
  for (size_t left = header.bytes; left > 0;) {
    const size_t step = std::min(left, kStep);
    const size_t at = message->body.size();
    message->body.resize(at + step);
    if (!ReceiveAll(socket, message->body.data() + at, step)) return false;
    left -= step;
  }
  return Crc32c(0, message->body) == header.checksum || malformed();
}

int ConnectToStore(const std::string& directory) {
  // Opened by its path: a directory that this process holds, or has held, by that path may be
  // another one.
  const Descriptor folder(open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  struct stat info;
  if (folder.get() < 0 || fstatat(folder.get(), kSocketName, &info, AT_SYMLINK_NOFOLLOW) != 0) {
    return -1;
  }
  // The store's creator may have put a link there to the socket of another service.
  if (!S_ISSOCK(info.st_mode)) {
    errno = ENOTSOCK;
    return -1;
  }
  return SocketIn(folder.get(), [](int made, const sockaddr_un& address) {
    // The queue of a server that is stopped may be full.
    const timeval patience = {kAnswerSeconds, 0};
    setsockopt(made, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    return connect(made, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  });
}

int RemoveSocket(const std::string& directory) {
  const std::string path = directory + "/" + kSocketName;
  const Place place = PlaceOf(path.c_str());
  return unlinkat(place.directory, place.name, 0);
}

namespace {

// When root serves another user's store, the socket belongs to that user.
bool GiveToOwner(int socket, const Place& place) {
  const FileOwner owner = OwnerFor(place);
  if (!owner.known || owner.user == geteuid() || geteuid() != 0) return true;
  return fchownat(socket, "", owner.user, owner.group, AT_EMPTY_PATH) == 0;
}

// SOCKET itself, which is a socket; or -1.
int OpenSocketFile(const Place& place) {
  const int fd = openat(place.directory, place.name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  struct stat info;
  if (fd < 0 || (fstat(fd, &info) == 0 && S_ISSOCK(info.st_mode))) return fd;
  close(fd);
  errno = ENOTSOCK;
  return -1;
}

}  // namespace

bool OpenSocketForGroup(const std::string& directory, gid_t group) {
  const auto keep = static_cast<uid_t>(-1);
  const std::string path = directory + "/" + kSocketName;
  const Place place = PlaceOf(path.c_str());
  const Descriptor socket(OpenSocketFile(place));
  const Descriptor folder(StoreOpenDirectory(directory.c_str()));
  struct stat now;
  if (socket.get() < 0 || folder.get() < 0 || fstat(folder.get(), &now) != 0) return false;
  // Some systems can change the group only through /proc.
  const bool opened = fchownat(socket.get(), "", keep, group, AT_EMPTY_PATH) == 0 &&
                      (fchmodat(folder.get(), kSocketName, 0660, AT_SYMLINK_NOFOLLOW) == 0 ||
                       fchmodat(folder.get(), kSocketName, 0660, 0) == 0);
  return opened && fchown(folder.get(), keep, group) == 0 &&
         fchmod(folder.get(), (now.st_mode & 07707) | 0010) == 0;
}

// Connections that may wait to be accepted; a program that connects beyond them waits in connect.
constexpr int kWaitingConnections = 64;

int ListenAtStore(const std::string& directory) {
  // The holder of the store's lock may remove the socket of an earlier server.
  static_cast<void>(RemoveSocket(directory));
  const Descriptor folder(StoreOpenDirectory(directory.c_str(), O_PATH));
  if (folder.get() < 0) return -1;
  const int made = SocketIn(folder.get(), [](int bound, const sockaddr_un& address) {
    const mode_t mask = umask(0177);  // for its owner only, from the first moment
    const int result = bind(bound, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    umask(mask);
    return result != 0 ? result : listen(bound, kWaitingConnections);
  });
  if (made < 0) return -1;
  const std::string path = directory + "/" + kSocketName;
  const Place place = PlaceOf(path.c_str());
  const Descriptor socket(OpenSocketFile(place));
  if (socket.get() >= 0 && GiveToOwner(socket.get(), place)) return made;
  const int error = errno;
  close(made);
  errno = error;
  return -1;
}

}  // namespace tenure::store
