#include "stabilize/state/database_references.h"

#include "stabilize/frames/store_names.h"
#include "stabilize/state/cross_references.h"

namespace tenure::stabilize {

Result<abi::Ref> DatabaseReferences::Root() {
  if (database_.pending_root()) return *database_.pending_root();
  if (database_.stored_root().nil()) return abi::Ref{nullptr};
  bool refers_to_heap = false;
  return ToMemory(database_.stored_root(), &refers_to_heap);
}

Result<abi::Ref> DatabaseReferences::ToMemory(PersistentRef stored, bool* refers_to_heap) {
  if (stored.kind() == RefKind::kImport) {
    return ImportToMemory(session_, database_, stored.entry(), refers_to_heap);
  }
  return database_.Locate(stored, refers_to_heap);
}

PersistentRef DatabaseReferences::ToStored(abi::Ref object) {
  if (const PersistentRef home = database_.HomeOf(object); !home.nil()) return home;
  if (const uint64_t number = ImportOf(session_, database_, object); number != 0) {
    return PersistentRef::Entry(RefKind::kImport, number);
  }
  // The commit has given it no home: a transient object.
  return PersistentRef::Nil();
}

}  // namespace tenure::stabilize
