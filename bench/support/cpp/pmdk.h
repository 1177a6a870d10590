// PMDK's libpmemobj in its usual style: persistent pointers are object ids, and objects are added
// to a transaction before they are changed.
#pragma once

#include <libpmemobj.h>

#include <cstddef>
#include <string>

#include "bench/support/cpp/usage.h"

namespace pmdk {

inline PMEMobjpool* pool;

[[noreturn]] inline void Die(const char* what) {
  bench::Fail(std::string("PMDK: ") + what + ": " + pmemobj_errormsg());
}

template <class T>
struct Ref {
  PMEMoid id;
  T* get() const { return static_cast<T*>(pmemobj_direct(id)); }
  T* operator->() const { return get(); }
};

inline void Begin() {
  if (pmemobj_tx_begin(pool, nullptr, TX_PARAM_NONE) != 0) Die("begin");
}

inline void Commit() {
  pmemobj_tx_commit();
  if (pmemobj_tx_end() != 0) Die("commit");
}

// A new object, all zero. In a transaction only.
template <class T>
Ref<T> Make(size_t bytes = sizeof(T)) {
  const PMEMoid id = pmemobj_tx_zalloc(bytes, 0);
  if (OID_IS_NULL(id)) Die("allocate");
  return {id};
}

// Call this before the object is changed in a transaction.
template <class T>
void Add(T* field) {
  if (pmemobj_tx_add_range_direct(field, sizeof *field) != 0) Die("add");
}

}  // namespace pmdk
