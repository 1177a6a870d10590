#include "compiler/driver/explain.h"

#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "base/shown_text.h"
#include "base/terminal_text.h"
#include "compiler/diagnostics/diagnostics.h"
#include "compiler/driver/options.h"
#include "compiler/package/installation.h"
#include "compiler/source/problem.h"

namespace tenure::compiler {

namespace {

// The message's code and text as one line.
std::string LineOf(const MessageInfo& info) {
  const std::vector<std::string> arguments(10, "...");
  std::string text = FormatMessage(info.format, arguments);
  // Two arguments that follow each other.
  if (const size_t at = text.find("......"); at != std::string::npos) text.erase(at, 3);
  return std::string(info.code) + "  " + text;
}

// The messages whose code ends in these digits, or whose text contains these words, a line for
// each.
std::string CodesMeant(const std::string& given) {
  constexpr size_t kMost = 12;
  std::string lines;
  size_t count = 0;
  if (given.size() < 3) return lines;
  const bool is_number = given.find_first_not_of("0123456789") == std::string::npos;
  for (int i = 0; i < MessageCount() && count < kMost; ++i) {
    const std::string line = LineOf(GetMessageInfo(static_cast<MessageId>(i)));
    const size_t blank = line.find(' ');
    const bool has = is_number ? line.substr(0, blank).ends_with(given)
                               : line.find(given, blank) != std::string::npos;
    if (!has) continue;
    lines += "  " + line + "\n";
    ++count;
  }
  return lines;
}

}  // namespace

int Explain(const std::string& code) {
  std::string wanted = "@";
  for (const char c : code) {
    wanted += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  Installation installation;
  if (const Problem problem = FindInstallation(&installation); !problem.ok()) {
    return problem.Print();
  }
  std::ifstream file(installation.explanations);
  if (!file) {
    std::fprintf(stderr, "tenure: cannot read '%s'; build the compiler again\n",
                 installation.explanations.c_str());
    return kExitEnvironment;
  }
  bool found = false;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] == '@') {
      if (found) break;
      found = line == wanted;
    } else if (found) {
      std::printf("%s\n", ForTerminal(STDOUT_FILENO, line).c_str());
    }
  }
  if (found) return kExitOk;
  if (const std::string others = CodesMeant(code); !others.empty()) {
    std::fprintf(stderr, "tenure: no diagnostic has the code '%s'; did you mean one of these?\n%s",
                 ShownText(code).c_str(), others.c_str());
    return kExitUsage;
  }
  std::fprintf(stderr,
               "tenure: no diagnostic has the code '%s', and no rule the number; codes look like "
               "M0304, W0301 or N0301, rules like 8.1; 'tenure explain --list' lists the codes\n",
               ShownText(code).c_str());
  return kExitUsage;
}

int ListExplanations() {
  for (int i = 0; i < MessageCount(); ++i) {
    const std::string line = LineOf(GetMessageInfo(static_cast<MessageId>(i)));
    std::printf("%s\n", ForTerminal(STDOUT_FILENO, line).c_str());
  }
  return kExitOk;
}

}  // namespace tenure::compiler
