#include "runtime/exceptions/frame_rules.h"

#include <atomic>
#include <cstddef>
#include <iterator>
#include <new>

#include "runtime/exceptions/dwarf_reader.h"
#include "runtime/exceptions/raises_table.h"
#include "runtime/exceptions/unwind_tables.h"

extern "C" {
// libgcc's search for the description (FDE) of the procedure that contains an address. The compiler
// has no header for it; libgcc promises it to other unwinders.
struct FdeBases {
  void* text;
  void* data;
  void* function;
};
const void* FindFde(void* code, FdeBases* bases) __asm__("_Unwind_Find_FDE");

int tn_personality(int version, int actions, uint64_t exception_class, void* exception,
                   void* context);

// The linker's: the program's own code, which is never unloaded.
extern const char first_code[] __asm__("__executable_start");
extern const char end_of_code[] __asm__("etext");
}

namespace tenure::runtime {
namespace {

// DWARF's numbers of registers.
constexpr size_t kRbx = 3;
constexpr size_t kRbp = 6;
constexpr size_t kRsp = 7;
constexpr size_t kReturnAddress = 16;
constexpr size_t kRegisters = 17;
constexpr size_t kInOrder[] = {kRbx, kRbp, 12, 13, 14, 15};

// A row of the unwind table: the rule at one address.
struct Row {
  uint64_t end_register = kRsp;
  int64_t end = 0;
  int64_t saved[kRegisters] = {};  // 0: not saved
};

// The part of the table that all procedures of an object file share (CIE).
struct Shared {
  uint64_t code_unit = 1;
  int64_t data_unit = 1;
  uint8_t lsda_encoding = pointer_encoding::kOmitted;
  uint8_t code_encoding = 0;
  uintptr_t personality = 0;
  const uint8_t* instructions = nullptr;
  const uint8_t* instructions_end = nullptr;
};

// False: it has an augmentation that this reader does not know.
bool ReadShared(const uint8_t* cie, Shared& shared) {
  DwarfReader reader(cie);
  const auto length = reader.Fixed<uint32_t>();
  if (length == 0 || length == UINT32_MAX) return false;
  shared.instructions_end = reader.at() + length;
  reader.Fixed<uint32_t>();  // 0: this is a CIE
  const uint8_t version = reader.Byte();
  if (version != 1 && version != 3) return false;
  const char* augmentation = reinterpret_cast<const char*>(reader.at());
  while (reader.Byte() != 0) {
  }
  shared.code_unit = reader.Uleb128();
  shared.data_unit = reader.Sleb128();
  const uint64_t return_address = version == 1 ? reader.Byte() : reader.Uleb128();
  if (return_address != kReturnAddress || *augmentation++ != 'z') return false;
  const uint64_t bytes = reader.Uleb128();
  shared.instructions = reader.at() + bytes;
  for (; *augmentation != '\0'; ++augmentation) {
    switch (*augmentation) {
      case 'L': shared.lsda_encoding = reader.Byte(); break;
      case 'R': shared.code_encoding = reader.Byte(); break;
      case 'P': {
        const uint8_t encoding = reader.Byte();
        shared.personality = reader.Pointer(encoding);
        break;
      }
      default: return false;  // 'S', a signal frame, among them
    }
  }
  return true;
}

// Runs the instructions that describe the code up to the address `code`, from the address `at` on.
class RowMachine {
 public:
  RowMachine(const Shared& shared, uintptr_t at, uintptr_t code)
      : shared_(shared), at_(at), code_(code) {}

  Row row;
  Row first;  // what DW_CFA_restore returns to

  // False: an instruction has a form that is not simple.
  bool Run(const uint8_t* begin, const uint8_t* end) {
    DwarfReader reader(begin);
    while (reader.at() < end && at_ <= code_) {
      if (!Step(reader)) return false;
    }
    return true;
  }

 private:
  enum : uint8_t {
    kHighBits = 0xc0,
    kAdvance = 0x40,
    kOffset = 0x80,
    kRestore = 0xc0,
    kNop = 0x00,
    kAdvance1 = 0x02,
    kAdvance2 = 0x03,
    kAdvance4 = 0x04,
    kOffsetExtended = 0x05,
    kRestoreExtended = 0x06,
    kSameValue = 0x08,
    kRememberState = 0x0a,
    kRestoreState = 0x0b,
    kDefineEnd = 0x0c,
    kDefineEndRegister = 0x0d,
    kDefineEndOffset = 0x0e,
    kArgumentBytes = 0x2e,
  };

  bool Step(DwarfReader& reader) {
    const uint8_t byte = reader.Byte();
    const uint8_t low = byte & 0x3f;
    switch (byte & kHighBits) {
      case kAdvance: at_ += low * shared_.code_unit; return true;
      case kOffset: return Save(low, reader.Uleb128());
      case kRestore: return Restore(low);
      default: break;
    }
    switch (byte) {
      case kNop: return true;
      case kAdvance1: at_ += reader.Fixed<uint8_t>() * shared_.code_unit; return true;
      case kAdvance2: at_ += reader.Fixed<uint16_t>() * shared_.code_unit; return true;
      case kAdvance4: at_ += reader.Fixed<uint32_t>() * shared_.code_unit; return true;
      case kOffsetExtended: {
        const uint64_t number = reader.Uleb128();
        return Save(number, reader.Uleb128());
      }
      case kRestoreExtended: return Restore(reader.Uleb128());
      case kSameValue: {
        const uint64_t number = reader.Uleb128();
        if (number >= kRegisters) return false;
        row.saved[number] = 0;
        return true;
      }
      case kRememberState:
        if (depth_ == kDepth) return false;
        remembered_[depth_++] = row;
        return true;
      case kRestoreState:
        if (depth_ == 0) return false;
        row = remembered_[--depth_];
        return true;
      case kDefineEnd:
        row.end_register = reader.Uleb128();
        row.end = static_cast<int64_t>(reader.Uleb128());
        return true;
      case kDefineEndRegister: row.end_register = reader.Uleb128(); return true;
      case kDefineEndOffset: row.end = static_cast<int64_t>(reader.Uleb128()); return true;
      case kArgumentBytes: return reader.Uleb128() == 0;
      default: return false;
    }
  }

  bool Save(uint64_t number, uint64_t offset) {
    if (number >= kRegisters) return false;
    row.saved[number] = static_cast<int64_t>(offset) * shared_.data_unit;
    return true;
  }

  bool Restore(uint64_t number) {
    if (number >= kRegisters) return false;
    row.saved[number] = first.saved[number];
    return true;
  }

  static constexpr size_t kDepth = 4;
  const Shared& shared_;
  uintptr_t at_;
  uintptr_t code_;
  size_t depth_ = 0;
  Row remembered_[kDepth];
};

bool FitsRule(const Row& row) {
  const auto fits = [](int64_t value) { return value >= INT32_MIN && value <= INT32_MAX; };
  if (row.end_register != kRsp && row.end_register != kRbp) return false;
  if (!fits(row.end) || !fits(row.saved[kReturnAddress]) || row.saved[kReturnAddress] == 0) {
    return false;
  }
  for (const size_t number : kInOrder) {
    if (!fits(row.saved[number])) return false;
  }
  // Registers that calls do not preserve may be described for debuggers; rsp is the frame's end.
  return row.saved[kRsp] == 0;
}

bool AnyClause(const void*, void*) { return true; }

bool MakeRule(uintptr_t code, FrameRule& rule) {
  const uintptr_t call = code - 1;  // within the call instruction
  FdeBases bases = {};
  const auto* fde = static_cast<const uint8_t*>(FindFde(reinterpret_cast<void*>(call), &bases));
  if (fde == nullptr) return false;
  DwarfReader reader(fde);
  const auto length = reader.Fixed<uint32_t>();
  if (length == UINT32_MAX) return false;
  const uint8_t* end = reader.at() + length;
  const uint8_t* place = reader.at();
  Shared shared;
  if (!ReadShared(place - reader.Fixed<uint32_t>(), shared)) return false;
  const uintptr_t function = reader.Pointer(shared.code_encoding);
  reader.Plain(shared.code_encoding);  // the code's length
  const uint64_t bytes = reader.Uleb128();
  const uint8_t* instructions = reader.at() + bytes;
  const uint8_t* lsda = nullptr;
  if (shared.lsda_encoding != pointer_encoding::kOmitted) {
    lsda = reinterpret_cast<const uint8_t*>(reader.Pointer(shared.lsda_encoding));
  }

  RowMachine machine(shared, function, call);
  if (!machine.Run(shared.instructions, shared.instructions_end)) return false;
  machine.first = machine.row;
  if (!machine.Run(instructions, end) || !FitsRule(machine.row)) return false;

  rule.code = code;
  rule.function = function;
  rule.lsda = nullptr;
  rule.raises = nullptr;
  if (shared.personality != 0) {
    if (shared.personality != reinterpret_cast<uintptr_t>(&tn_personality)) return false;
    rule.raises = FindRaisesEntry(function);
    if (FindLandingPad(lsda, function, call, AnyClause, nullptr).kind != LandingPad::Kind::kNone) {
      rule.lsda = lsda;
    }
  }
  rule.from_rbp = machine.row.end_register == kRbp;
  rule.end = static_cast<int32_t>(machine.row.end);
  rule.return_address = static_cast<int32_t>(machine.row.saved[kReturnAddress]);
  for (size_t i = 0; i < std::size(kInOrder); ++i) {
    rule.saved[i] = static_cast<int32_t>(machine.row.saved[kInOrder[i]]);
  }
  return true;
}

// An open hash table that only grows. A place is written once.
constexpr size_t kPlaces = 4096;
constexpr size_t kTries = 8;
std::atomic<const FrameRule*> rules[kPlaces];

size_t PlaceOf(uintptr_t code) { return (code * 0x9e3779b97f4a7c15u) >> 52; }
static_assert(kPlaces == size_t{1} << (64 - 52));

}  // namespace

const FrameRule* FrameRuleOf(uintptr_t code) {
  const size_t first = PlaceOf(code);
  for (size_t i = 0; i < kTries; ++i) {
    std::atomic<const FrameRule*>& place = rules[(first + i) % kPlaces];
    const FrameRule* rule = place.load(std::memory_order_acquire);
    if (rule != nullptr && rule->code == code) return rule;
    if (rule != nullptr) continue;
    if (code <= reinterpret_cast<uintptr_t>(first_code) ||
        code > reinterpret_cast<uintptr_t>(end_of_code)) {
      return nullptr;
    }
    FrameRule made;
    if (!MakeRule(code, made)) return nullptr;
    auto* kept = new (std::nothrow) FrameRule(made);
    if (kept == nullptr) return nullptr;
    if (place.compare_exchange_strong(rule, kept, std::memory_order_acq_rel)) return kept;
    delete kept;  // another thread was here
    if (rule->code == code) return rule;
  }
  return nullptr;
}

FrameRegisters CallerOf(const FrameRegisters& frame, const FrameRule& rule) {
  const uintptr_t end =
      (rule.from_rbp ? frame.rbp : frame.rsp) + static_cast<uintptr_t>(int64_t{rule.end});
  const auto word = [&](int32_t offset) {
    return *reinterpret_cast<const uintptr_t*>(end + static_cast<uintptr_t>(int64_t{offset}));
  };
  const auto restored = [&](size_t i, uintptr_t now) {
    return rule.saved[i] == 0 ? now : word(rule.saved[i]);
  };
  FrameRegisters caller;
  caller.rbx = restored(0, frame.rbx);
  caller.rbp = restored(1, frame.rbp);
  caller.r12 = restored(2, frame.r12);
  caller.r13 = restored(3, frame.r13);
  caller.r14 = restored(4, frame.r14);
  caller.r15 = restored(5, frame.r15);
  caller.rsp = end;
  caller.rip = word(rule.return_address);
  return caller;
}

}  // namespace tenure::runtime
