// A program that uses a served store from another machine.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace tenure::store {

// The rights of a program at a store; each role includes those before it. The numbers are stored.
enum class StoreRole : uint8_t {
  kNone = 0,
  kReader = 1,  // read
  kWriter = 2,  // commit
  kOwner = 3,   // make and delete databases, collect
};

constexpr const char* NameOf(StoreRole role) {
  switch (role) {
    case StoreRole::kNone: return "none";
    case StoreRole::kReader: return "reader";
    case StoreRole::kWriter: return "writer";
    case StoreRole::kOwner: return "owner";
  }
  return "unknown";
}

struct ServicePeer {
  std::string subject;  // the common name in its certificate
  std::string address;  // the other end of its connection
  // As the program says, on its own machine; 0 and empty: not known.
  int64_t process = 0;
  std::string program;
  StoreRole role = StoreRole::kNone;
  // A node of the store's group, which may settle the commits that it has prepared: it may ask for
  // outcomes and acknowledge them, with any role.
  bool node = false;
  // Whether the program knows that the connection is over, or has ended: it uses nothing any more
  // that it holds.
  std::function<bool()> gone;
};

}  // namespace tenure::store
