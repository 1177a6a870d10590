#include "store/serve/serving_messages.h"

#include <atomic>
#include <cstdio>
#include <sstream>

namespace tenure::store {

namespace {

std::atomic<const char*> serving_command{"tenure serve"};

}  // namespace

void NameServingCommand(const char* command) { serving_command = command; }

void SayAsServer(const std::string& text) {
  std::istringstream lines(text);
  std::string said;
  for (std::string line; std::getline(lines, line);) {
    said += std::string(serving_command.load()) + ": " + line + "\n";
  }
  // Lines of several threads do not mix.
  std::fputs(said.c_str(), stderr);
}

}  // namespace tenure::store
