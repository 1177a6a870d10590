// The C side of the library's work on bytes: move, compare, find, hash.

#include <sys/single_threaded.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

#include "abi/object_header.h"
#include "gc/heap.h"
#include "runtime/heap/allocation.h"
#include "runtime/heap/inline_allocation.h"
#include "runtime/heap/short_copy.h"
#include "runtime/heap/text.h"
#include "runtime/start/runtime.h"
#include "runtime/threads/mutator.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/threads.h"

using namespace tenure::abi;
using namespace tenure::runtime;

namespace {

// One step of the hash for one byte (FNV-1a). A byte at a time, so that a wide text whose
// characters are all below 256 hashes as the narrow one.
uint64_t HashByte(uint64_t hash, uint8_t byte) { return (hash ^ byte) * 0x100000001b3u; }

uint64_t HashStart(int64_t seed) { return 0xcbf29ce484222325u ^ static_cast<uint64_t>(seed); }

// The low bits of FNV are weaker than the high ones, and tables use the low ones.
int64_t HashEnd(uint64_t hash) {
  hash ^= hash >> 32;
  return static_cast<int64_t>(hash * 0x9e3779b97f4a7c15u >> 1);
}

// An open array of characters, the first 8 of which count the used characters behind them. An open
// array's length comes first: it has no fixed part.
struct Room {
  explicit Room(Ref array)
      : count(static_cast<int64_t*>(array) + 1),
        capacity(count[-1] - static_cast<int64_t>(sizeof(*count))) {}

  char* characters() const { return reinterpret_cast<char*>(count + 1); }

  int64_t* count;
  int64_t capacity;
};

// Not an array that is persistent or about to become so, nor one that the abort of a child
// transaction may restore: texts that share the array would change.
inline bool MayGrow(Ref array) {
  const tenure::gc::Heap& heap = Runtime::Get().heap();
  return heap.Contains(array) && !ObjectHeader::Of(array)->displaced() && !heap.child_transaction();
}

// With stops held.
inline bool Extend(Ref array, int64_t used, const char* from, int64_t bytes) {
  if (!MayGrow(array)) return false;
  const Room room(array);
  if (__libc_single_threaded != 0) {
    if (*room.count != used) return false;
    *room.count = used + bytes;
  } else if (!__atomic_compare_exchange_n(room.count, &used, used + bytes, false, __ATOMIC_ACQ_REL,
                                          __ATOMIC_RELAXED)) {
    return false;
  }
  if (bytes <= room.capacity - used) {
    CopyShort(room.characters() + used, from, static_cast<size_t>(bytes));
  }
  return true;
}

// The same as StopsHeld, in line for what takes a few instructions.
template <typename Work>
__attribute__((always_inline)) inline bool WithStopsHeld(Mutator& mutator, Work&& work) {
  ++mutator.holds;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const bool result = work();
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (--mutator.holds == 0 && mutator.stop_pending) {
    // A stop was held up meanwhile. ReleaseStops expects the hold that it releases.
    ++mutator.holds;
    ReleaseStops();
  }
  return result;
}

// No commit comes between the question whether the array is persistent and the writing.
__attribute__((always_inline)) inline bool ExtendHeld(Ref array, int64_t used, const void* from,
                                                      int64_t bytes) {
  Mutator* current = Mutator::Current();
  Mutator& mutator = current != nullptr ? *current : AttachedMutator();
  return WithStopsHeld(mutator,
                       [&] { return Extend(array, used, static_cast<const char*>(from), bytes); });
}

// A text that shares an array with others: how far it goes in it.
struct TextInRoom {
  Ref room;
  int64_t length;
};

__attribute__((noinline)) Ref NewTextInRoomSlow(const TypeDescriptor& type, TextInRoom value) {
  const Ref text = AllocateObject(type);
  *static_cast<TextInRoom*>(text) = value;
  return text;
}

inline Ref NewTextInRoom(const TypeDescriptor& type, TextInRoom value) {
  const Ref text = TakeAtOnce(type, sizeof(TextInRoom), [&](Ref payload, size_t) {
    *static_cast<TextInRoom*>(payload) = value;
  });
  return text != nullptr ? text : NewTextInRoomSlow(type, value);
}

// As many words as hold the bytes. A text ends at a word's end, so that they can be read.
inline void CopyWords(char* to, const char* from, int64_t bytes) {
  for (int64_t at = 0; at < bytes; at += 8) std::memcpy(to + at, from + at, 8);
}

constexpr int64_t kFewBytes = 32;

int64_t Sign(int value) { return (value > 0) - (value < 0); }

}  // namespace

extern "C" {

void tn_memory_move(void* to, const void* from, int64_t bytes) {
  if (bytes > 0) std::memmove(to, from, static_cast<size_t>(bytes));
}

uint8_t tn_memory_extend(Ref room, int64_t used, const void* from, int64_t bytes) {
  return ExtendHeld(room, used, from, bytes) ? 1 : 0;
}

Ref tn_memory_append(Ref text, const void* from, int64_t bytes) {
  const TextInRoom before = *static_cast<const TextInRoom*>(text);
  if (bytes > Room(before.room).capacity - before.length ||
      !ExtendHeld(before.room, before.length, from, bytes)) {
    return nullptr;
  }
  const TextInRoom after = {before.room, before.length + bytes};
  return NewTextInRoom(*ObjectHeader::Of(text)->type(), after);
}

// As tn_memory_append, for what happens most often; it calls nothing on the way.
Ref tn_text_append(Ref text, Ref more) {
  const TextInRoom before = *static_cast<const TextInRoom*>(text);
  const Flat8 added(more);
  const auto bytes = static_cast<int64_t>(added.length);
  const Room room(before.room);
  const int64_t left = room.capacity - before.length;
  // Needs room for a whole word more than the characters. With one thread nothing stops it, and no
  // commit comes between the question whether the array is persistent and the write.
  if (bytes <= 0 || bytes > kFewBytes || left < bytes + 8 || __libc_single_threaded == 0 ||
      *room.count != before.length || !MayGrow(before.room)) {
    return nullptr;
  }
  const TextInRoom after = {before.room, before.length + bytes};
  *room.count = after.length;
  // The bytes behind the characters are unused.
  CopyWords(room.characters() + before.length, added.characters, bytes);
  return NewTextInRoom(*ObjectHeader::Of(text)->type(), after);
}

uint8_t tn_has_method(Ref object, const void* procedure) {
  const TypeDescriptor& type = *ObjectHeader::Of(object)->type();
  const auto* methods =
      reinterpret_cast<const void* const*>(reinterpret_cast<const char*>(&type) + kMethodsOffset);
  return std::find(methods, methods + type.method_count, procedure) != methods + type.method_count
             ? 1
             : 0;
}

int64_t tn_memory_compare(const void* a, const void* b, int64_t bytes) {
  return bytes > 0 ? Sign(std::memcmp(a, b, static_cast<size_t>(bytes))) : 0;
}

uint8_t tn_memory_equal(const void* a, const void* b, int64_t bytes) {
  return bytes <= 0 || EqualShort(static_cast<const char*>(a), static_cast<const char*>(b),
                                  static_cast<size_t>(bytes))
             ? 1
             : 0;
}

int64_t tn_memory_find(const void* bytes, int64_t count, int64_t byte) {
  if (count <= 0) return -1;
  const void* found = std::memchr(bytes, static_cast<int>(byte), static_cast<size_t>(count));
  return found == nullptr ? -1 : static_cast<const char*>(found) - static_cast<const char*>(bytes);
}

int64_t tn_memory_search(const void* bytes, int64_t count, const void* wanted,
                         int64_t wanted_count) {
  if (count < wanted_count) return -1;
  const void* found =
      memmem(bytes, static_cast<size_t>(count), wanted, static_cast<size_t>(wanted_count));
  return found == nullptr ? -1 : static_cast<const char*>(found) - static_cast<const char*>(bytes);
}

int64_t tn_memory_hash(const void* bytes, int64_t count, int64_t seed) {
  uint64_t hash = HashStart(seed);
  for (int64_t i = 0; i < count; ++i) hash = HashByte(hash, static_cast<const uint8_t*>(bytes)[i]);
  return HashEnd(hash);
}

int64_t tn_chars_compare(const char* a, int64_t a_count, const char* b, int64_t b_count) {
  const int64_t order = tn_memory_compare(a, b, a_count < b_count ? a_count : b_count);
  if (order != 0) return order;
  return a_count < b_count ? -1 : a_count > b_count ? 1 : 0;
}

int64_t tn_chars_find(const char* a, int64_t count, uint8_t c) {
  return tn_memory_find(a, count, c);
}

int64_t tn_chars_hash(const char* a, int64_t count, int64_t seed) {
  return tn_memory_hash(a, count, seed);
}

int64_t tn_wide_chars_hash(const uint16_t* a, int64_t count, int64_t seed) {
  uint64_t hash = HashStart(seed);
  for (int64_t i = 0; i < count; ++i) {
    hash = HashByte(hash, static_cast<uint8_t>(a[i]));
    if (a[i] >= 256) hash = HashByte(hash, static_cast<uint8_t>(a[i] >> 8));
  }
  return HashEnd(hash);
}

void tn_chars_copy(char* to, int64_t /*to_count*/, int64_t at, const char* from,
                   int64_t /*from_count*/, int64_t start, int64_t count) {
  tn_memory_move(to + at, from + start, count);
}

}  // extern "C"
