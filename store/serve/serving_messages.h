// What a server says on standard error.
#pragma once

#include <string>

namespace tenure::store {

// The command that serves in this process; a literal. Before the first message; otherwise
// "tenure serve".
void NameServingCommand(const char* command);
// Writes the lines of `text`, each behind the command's name. Any thread.
void SayAsServer(const std::string& text);

}  // namespace tenure::store
