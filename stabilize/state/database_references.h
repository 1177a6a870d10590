// How the references of one database are translated between the store and memory, with those that
// lead to other databases.
#pragma once

#include "stabilize/state/session_state.h"
#include "store/format/page_codec.h"

namespace tenure::stabilize {

// For the pages of one database. Made where it is used; both arguments outlive it. With the
// session's lock.
class DatabaseReferences final : public ReferenceTranslator {
 public:
  DatabaseReferences(SessionState& session, Database& database)
      : session_(session), database_(database) {}

  // Where the root object is, or null. What SetRoot stored in the open transaction wins.
  Result<abi::Ref> Root();

  PlainReferences Plain() const override { return database_.Plain(); }
  // May open the database that the reference leads to (cross_references.h).
  Result<abi::Ref> ToMemory(PersistentRef stored, bool* refers_to_heap) override;
  PersistentRef ToStored(abi::Ref object) override;
  uint64_t ProcedureToStored(void* code) override { return database_.ProcedureToStored(code); }
  void* ProcedureToMemory(PageId page, size_t offset, uint64_t stored, uint32_t shape) override {
    return database_.ProcedureToMemory(page, offset, stored, shape);
  }
  Result<const abi::TypeDescriptor*> TypeOf(uint32_t index) override {
    return database_.TypeOf(index);
  }
  uint32_t IndexOf(const abi::TypeDescriptor& type) override { return database_.IndexOf(type); }
  const SlotTypes& SlotTypesOf(const abi::TypeDescriptor& type) override {
    return database_.SlotTypesOf(type);
  }

 private:
  SessionState& session_;
  Database& database_;
};

}  // namespace tenure::stabilize
