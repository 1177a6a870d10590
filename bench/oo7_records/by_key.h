// The functions of namespace store for a store of keys and values, which defines GetValue and
// PutValue: the key is the kind of the record and its id.
#pragma once

#include "bench/oo7_records/records.h"

namespace store {

struct Key {
  // Big-endian, so that records of a kind lie in the order of their ids.
  unsigned char bytes[5];
  Key(char kind, int32_t id) {
    bytes[0] = static_cast<unsigned char>(kind);
    for (int i = 0; i < 4; ++i) bytes[1 + i] = static_cast<unsigned char>(id >> (24 - 8 * i));
  }
};

void GetValue(const Key& key, std::string* value);         // of any size
void GetValue(const Key& key, void* value, size_t bytes);  // of this size
// Of this size each: those of `key` and of the keys after it, one behind the other.
void GetValues(const Key& key, void* values, size_t bytes, int count);
void PutValue(const Key& key, const void* value, size_t bytes);

inline void Get(int32_t id, oo7::AtomicRecord* r) { GetValue({'a', id}, r, sizeof *r); }
inline void Get(int32_t id, oo7::CompositeRecord* r) { GetValue({'p', id}, r, sizeof *r); }
inline void Get(int32_t id, oo7::AssemblyRecord* r) { GetValue({'s', id}, r, sizeof *r); }
inline void GetConnections(int32_t from, oo7::ConnectionRecord* records) {
  GetValues({'c', from * oo7::kConnections}, records, sizeof *records, oo7::kConnections);
}
inline void GetManual(int32_t id, std::string* text) {
  GetValue({'m', id}, text);
  text->erase(0, text->find('\0') + 1);
}
inline void Put(const oo7::AtomicRecord& r) { PutValue({'a', r.id}, &r, sizeof r); }
inline void Update(const oo7::AtomicRecord& r) { Put(r); }
inline void Put(const oo7::ConnectionRecord& r) { PutValue({'c', r.id}, &r, sizeof r); }
inline void Put(const oo7::CompositeRecord& r) { PutValue({'p', r.id}, &r, sizeof r); }
inline void Put(const oo7::AssemblyRecord& r) { PutValue({'s', r.id}, &r, sizeof r); }

// The title, a NUL and the text.
inline void PutText(const Key& key, const oo7::TextRecord& record) {
  const std::string value = record.title + '\0' + record.text;
  PutValue(key, value.data(), value.size());
}
inline void PutDocument(const oo7::TextRecord& r) { PutText({'d', r.id}, r); }
inline void PutManual(const oo7::TextRecord& r) { PutText({'m', r.id}, r); }

}  // namespace store
