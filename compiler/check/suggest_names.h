// Names in suggestions, for suggest.cc and suggest_members.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/near_names.h"
#include "compiler/diagnostics/diagnostics.h"
#include "compiler/foreign/tables/words.h"

namespace tenure::compiler {

// A list of more names than this is not shown whole.
inline constexpr size_t kShownNames = 6;

// Whether the two differ in capitals only.
bool HasSameLetters(std::string_view a, std::string_view b);

// Shows all of a short list of names, the nearest of a long one.
void HintAtNames(DiagnosticBuilder& error, const NearNames& near,
                 const std::vector<std::string>& names);

}  // namespace tenure::compiler
