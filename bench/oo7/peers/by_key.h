// The records of OO7 in a store of keys and values.
#pragma once

#include "bench/oo7/peers/records.h"
#include "bench/support/cpp/key_value.h"

namespace store {

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
