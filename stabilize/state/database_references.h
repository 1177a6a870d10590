// How the references of one database are translated between the store and memory, with those that
// lead to other databases.
#pragma once

#include "stabilize/state/session_state.h"
#include "store/format/page_codec.h"

namespace tenure::stabilize {

// For the pages of one database. A local variable: both arguments outlive it. Needs the session's
// lock.
class DatabaseReferences final : public ReferenceTranslator {
 public:
  // `only_known`: a page with an object whose type the program lacks is not decoded.
  DatabaseReferences(SessionState& session, Database& database, bool only_known = true)
      : session_(session), database_(database), only_known_(only_known) {}

  // The address of the root object, or null; a root that SetRoot has stored in the open transaction
  // comes first.
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
  Result<const abi::TypeDescriptor*> TypeBeside(uint32_t index) override {
    return only_known_ ? database_.TypeOf(index) : database_.TypeOrUnknown(index);
  }
  uint32_t IndexOf(const abi::TypeDescriptor& type) override { return database_.IndexOf(type); }
  const SlotTypes& SlotTypesOf(const abi::TypeDescriptor& type) override {
    return database_.SlotTypesOf(type);
  }

 private:
  SessionState& session_;
  Database& database_;
  const bool only_known_;
};

}  // namespace tenure::stabilize
