// The designators that a program dereferences in each line: from these the run time names the one
// that was NIL when the hardware has trapped an access.
#pragma once

namespace tenure::abi {

// An object file's part of this section is a sequence of files; the linker puts the parts one
// behind the other. A file is
//   path NUL    as the compiler was given the path; empty: no file, only a filling byte
//   an entry for each dereference:
//     line      ULEB128, not 0
//     offset    SLEB128: of the first byte that is accessed, from the reference
//     extent    ULEB128: 2 * bytes, + 1 if the program stores there
//     text NUL  the reference, as it stands in the source
//   0
inline constexpr char kDereferenceSection[] = "tn_dereferences";

}  // namespace tenure::abi
