#include "tests/support/persistent_types.h"

#include <cstring>

namespace tenure::testing {

namespace {

using abi::SlotKind;
using abi::SlotRun;
using abi::TypeDescriptor;

constexpr SlotRun kEdge[] = {{0, 1, 8, SlotKind::kReference}};
constexpr SlotRun kHolderSlots[] = {{8, 1, 8, SlotKind::kUntraced},
                                    {16, 1, 8, SlotKind::kReference},
                                    {24, 1, 8, SlotKind::kTransientReference},
                                    {32, 1, 8, SlotKind::kProcedure}};
constexpr SlotRun kGridEdge[] = {{8, 1, 24, SlotKind::kReference}};
constexpr SlotRun kBlockEdges[] = {{0, 3000, 8, SlotKind::kReference}};

constexpr TypeDescriptor Make(uint64_t fingerprint, const char* name, uint32_t flags,
                              uint32_t payload_bytes) {
  TypeDescriptor type = {};
  type.fingerprint = fingerprint;
  type.name = name;
  type.flags = flags;
  type.payload_bytes = payload_bytes;
  type.alignment = 8;
  return type;
}

constexpr TypeDescriptor Open(TypeDescriptor type, uint32_t dimensions, uint32_t element_bytes,
                              const SlotRun* elements, uint32_t runs) {
  type.open_dimensions = dimensions;
  type.element_bytes = element_bytes;
  type.element_runs = elements;
  type.element_run_count = runs;
  return type;
}

constexpr TypeDescriptor Slots(TypeDescriptor type, const SlotRun* slots, uint32_t runs) {
  type.slot_runs = slots;
  type.slot_run_count = runs;
  return type;
}

}  // namespace

#define TN_TEST_TYPE alignas(abi::kDescriptorAlignment) constinit const TypeDescriptor

TN_TEST_TYPE kCellType = Open(Make(0x1001, "Test.Cell", abi::kTypeOpenArray, 8), 1, 8, kEdge, 1);
TN_TEST_TYPE kHolderType = Slots(Make(0x1002, "Test.Holder", 0, 40), kHolderSlots, 4);
TN_TEST_TYPE kLocalType =
    Open(Make(0x1003, "Test.Local", abi::kTypeOpenArray | abi::kTypeTransient, 8), 1, 8, kEdge, 1);
TN_TEST_TYPE kTextType =
    Open(Make(0x1004, "Test.Text", abi::kTypeOpenArray | abi::kTypePure | abi::kTypeText, 0), 1, 1,
         nullptr, 0);
TN_TEST_TYPE kGridType =
    Open(Make(0x1005, "Test.Grid", abi::kTypeOpenArray, 0), 2, 24, kGridEdge, 1);
TN_TEST_TYPE kBlockType = Slots(Make(0x1006, "Test.Block", 0, 24000), kBlockEdges, 1);

#undef TN_TEST_TYPE

TextLiteral::TextLiteral(const char* from) : header(abi::ObjectHeader::ForType(&kTextType)) {
  std::memset(text, 0, sizeof text);
  std::strncpy(text, from, sizeof text - 1);
  length = std::strlen(text) + 1;
}

}  // namespace tenure::testing
