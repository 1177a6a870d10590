// `tenure db shell`: paths, queries and changes, line by line, with history and completion.
#pragma once

#include <string>
#include <vector>

#include "dbtool/look/database_view.h"

namespace tenure::dbtool {

// Reads lines from the standard input until it ends. The command's exit status: kExitProblems if a
// line of an input that is no terminal was wrong.
int RunShell(OpenedStore& store, const std::string& path, const std::string& database,
             const Views& views);

// What may stand in the place of the word that the text ends with: names, fields of what stands
// before a dot, keys of what stands before a bracket.
std::vector<std::string> CompletionsOf(DatabaseView& view, const std::string& text);

}  // namespace tenure::dbtool
