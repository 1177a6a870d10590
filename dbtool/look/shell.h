// `tenure db shell`: paths, queries and changes, line by line, with history and completion.
#pragma once

#include <string>
#include <vector>

#include "dbtool/look/database_view.h"

namespace tenure::dbtool {

// Reads lines from the standard input until it ends. The command's exit status: kExitProblems if a
// line of an input that is not a terminal was wrong. On a terminal, SIGINT gives up the line that
// is being typed or the query that is running; a second one before that has ended ends the shell.
// `json`: values and rows are JSON from the beginning.
int RunShell(OpenedStore& store, const std::string& path, const std::string& database,
             const Views& views, bool json);

// The completions of the word at the text's end: names, fields of the value before a dot, keys of
// the container before a bracket.
std::vector<std::string> CompletionsOf(DatabaseView& view, const std::string& text);

}  // namespace tenure::dbtool
