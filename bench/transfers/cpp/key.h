// The key of an account in a store of keys and values: big-endian, so that accounts lie in the
// order of their numbers.
#pragma once

#include <cstdint>

namespace transfers {

struct Key {
  explicit Key(int32_t id) {
    for (int i = 0; i < 4; ++i) bytes[i] = static_cast<char>(id >> (24 - 8 * i));
  }

  char bytes[4];
};

}  // namespace transfers
