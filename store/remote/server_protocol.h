// The messages between a program and the page-server process (docs/page_server.md), over a Unix
// socket. Neither side trusts the other: lengths are bounded, checksums checked, and every field is
// read by a Reader that tells when the bytes run out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "store/files/store_files.h"
#include "store/server/page_server.h"

namespace tenure::store {

inline constexpr uint32_t kProtocolVersion = 9;
inline constexpr size_t kMessageBytesMax = size_t{1} << 30;
inline constexpr size_t kReadPagesMax = 4096;  // of one request
// A server that sends nothing for this long, not even a kPong, is given up.
inline constexpr int kAnswerSeconds = 10;
// A client that leaves a callback unanswered for this long is cut off. The server may have asked it
// again only a second after it stopped: others wait for kAnswerSeconds at most.
inline constexpr int kCallbackSeconds = 8;
// Others wait this long for pages of a prepared commit whose outcome only another store knows.
inline constexpr int kDoubtSeconds = 20;
// A program that uses several servers waits this long for a permission, and at most twice this
// long: no server sees a cycle that leads through another one.
inline constexpr int kSeveralServersSeconds = 3;

// How a program waits for the pages that it asks for: bits of one byte of the request. A bounded
// wait ends after kSeveralServersSeconds. A program that gives way is the victim of a cycle of
// waits rather than one that does not. kRead only: the program wants to write the first page, too.
inline constexpr uint8_t kWaitIsBounded = 1, kWaitGivesWay = 2, kReadToWrite = 4;

// See messages.def.
enum class MessageKind : uint16_t {
#define FIRST(name, number) k##name = number,
#define REQUEST(name, number, role, words) k##name = number,
#define DATABASE_REQUEST(name, number, role, words) k##name = number,
#define NOTICE(name, number) k##name = number,
#define TO_PROGRAM(name, number) k##name = number,
#include "store/remote/messages.def"
};

struct Message {
  MessageKind kind = MessageKind::kReply;
  uint64_t number = 0;  // of the request
  std::vector<std::byte> body;
};

class Writer : public ByteWriter {
 public:
  Writer() : ByteWriter(NumberForm::kFixed4) {}

  void PutStatus(Status status) {
    Put(status.code());
    Put(status.number());
    PutText(status.text());
  }
};

class Reader : public ByteReader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : ByteReader(bytes, NumberForm::kFixed4) {}

  Status GetStatus();
};

// The failure of a request whose answer makes no sense.
Status BadAnswer();

void PutImports(Writer& out, std::span<const ImportEntry> entries);
std::vector<ImportEntry> GetImports(Reader& in);
void PutExports(Writer& out, std::span<const ExportEntry> entries);
std::vector<ExportEntry> GetExports(Reader& in);

void PutCandidates(Writer& out, std::span<const Candidate> candidates);
// Nothing unless they ascend.
std::optional<std::vector<Candidate>> GetCandidates(Reader& in);
// A page that the program gives up, or (`keep_read`) may no longer write.
void PutRelease(Writer& out, uint32_t remote, PageId page, bool keep_read);
void PutFlags(Writer& out, const std::vector<bool>& flags);
std::vector<bool> GetFlags(Reader& in);

// Sends one message; callers see to it that one thread at a time does. False: the connection is of
// no more use, for the reason in errno. `wait`: else it fails when there is no room for it at once,
// nothing having been sent
// (*sent_nothing). `descriptor`: the other side gets this file, too (-1: none).
bool SendMessage(int socket, MessageKind kind, uint64_t number, std::span<const std::byte> body,
                 bool wait = true, bool* sent_nothing = nullptr, int descriptor = -1);
// The same, waiting, for a body in two parts.
bool SendInParts(int socket, MessageKind kind, uint64_t number, std::span<const std::byte> head,
                 std::span<const std::byte> rest);
// False: the connection is closed (errno is 0), has failed (errno), or the message is malformed
// (errno is EBADMSG); a body of more than `most` bytes is malformed. *descriptor is the file that
// comes with the message, or -1; if `descriptor` is null, such a file is closed.
bool ReceiveMessage(int socket, Message* message, size_t most = kMessageBytesMax,
                    int* descriptor = nullptr);

// The socket of the store at `directory`, which may be longer than socket addresses can be.
// Connected or listening; -1 and errno.
int ConnectToStore(const std::string& directory);
// The directory is held; the socket is its owner's.
int ListenAtStore(const std::string& directory);
// Lets members of the group connect to the socket, but open no other file of the store. False with
// errno.
bool OpenSocketForGroup(const std::string& directory, gid_t group);
int RemoveSocket(const std::string& directory);

}  // namespace tenure::store
