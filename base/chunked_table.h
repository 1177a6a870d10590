// Values by number, where many numbers are in use and most of them have neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/flat_table.h"

namespace tenure {

// Values lie in chunks of kChunk numbers, and a chunk is made when the first of its values is asked
// for: to find a value costs a look into a small table. Values stay where they are until the table
// ends. Not synchronized. Chunks of large values are so large that malloc gives their memory back
// to the system when the table ends.
template <typename Value>
class ChunkedTable {
 public:
  static constexpr uint64_t kChunk = 1024;

  // Value{} at first.
  Value& At(uint64_t number) {
    auto [chunk, fresh] = chunks_.Insert(KeyOf(number));
    if (fresh) *chunk = std::make_unique<Value[]>(kChunk);
    return (*chunk)[number % kChunk];
  }

  // Null: nobody has asked for this value, nor for one of its chunk.
  Value* Find(uint64_t number) {
    return const_cast<Value*>(static_cast<const ChunkedTable*>(this)->Find(number));
  }
  const Value* Find(uint64_t number) const {
    const std::unique_ptr<Value[]>* const chunk = chunks_.Find(KeyOf(number));
    return chunk != nullptr ? &(*chunk)[number % kChunk] : nullptr;
  }

 private:
  struct Spread {
    uint64_t operator()(uint64_t key) const { return SpreadBits(key); }
  };

  // 0 is no key.
  static uint64_t KeyOf(uint64_t number) { return number / kChunk + 1; }

  FlatTable<uint64_t, std::unique_ptr<Value[]>, Spread> chunks_;
};

}  // namespace tenure
