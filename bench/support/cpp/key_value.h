// Namespace store for a store of keys and values (lmdb.h, bdb.h). The key is the kind of the record
// and its id.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "bench/support/cpp/store.h"

namespace store {

struct Key {
  // Big-endian, so that records of a kind lie in the order of their ids.
  unsigned char bytes[9];
  unsigned char size = 1;

  Key(char kind, int32_t id) {
    bytes[0] = static_cast<unsigned char>(kind);
    Add(id);
  }
  Key(char kind, int32_t id, int32_t second) : Key(kind, id) { Add(second); }

 private:
  void Add(int32_t id) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes[size++] = static_cast<unsigned char>(id >> shift);
    }
  }
};

void GetValue(const Key& key, std::string* value);         // of any size
void GetValue(const Key& key, void* value, size_t bytes);  // of this size
// Records of this size each: those of `key` and of the following keys, one behind the other.
void GetValues(const Key& key, void* values, size_t bytes, int count);
void PutValue(const Key& key, const void* value, size_t bytes);

}  // namespace store
