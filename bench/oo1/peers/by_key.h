// The records of OO1 in a store of keys and values.
#pragma once

#include "bench/oo1/peers/records.h"
#include "bench/support/cpp/key_value.h"

namespace store {

inline int32_t GetPartCount() {
  int32_t parts;
  GetValue({'n', 0}, &parts, sizeof parts);
  return parts;
}
inline void PutPartCount(int32_t parts) { PutValue({'n', 0}, &parts, sizeof parts); }
inline void Get(int32_t id, oo1::PartRecord* r) { GetValue({'p', id}, r, sizeof *r); }
inline void GetConnections(int32_t from, oo1::ConnectionRecord* records) {
  GetValues({'c', from * oo1::kConnections}, records, sizeof *records, oo1::kConnections);
}
inline void Put(const oo1::PartRecord& r) { PutValue({'p', r.id}, &r, sizeof r); }
inline void Put(const oo1::ConnectionRecord& r) {
  PutValue({'c', r.id}, &r, sizeof r);
  PutValue({'t', r.to, r.id}, "", 0);  // connections that lead to one part lie together
}

}  // namespace store
