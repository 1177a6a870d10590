#include "compiler/driver/explain.h"

#include <cctype>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostics.h"
#include "compiler/driver/options.h"
#include "compiler/driver/problem.h"
#include "compiler/package/installation.h"

namespace tenure::compiler {

int Explain(const std::string& code) {
  std::string wanted = "@";
  for (const char c : code) {
    wanted += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  Installation installation;
  if (const Problem problem(FindInstallation(&installation)); !problem.ok()) {
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
      std::printf("%s\n", line.c_str());
    }
  }
  if (found) return kExitOk;
  std::fprintf(stderr,
               "tenure: no diagnostic has the code '%s', and no rule the number; codes look like "
               "M0304, W0301 or N0301, rules like 8.1; 'tenure explain --list' lists the codes\n",
               code.c_str());
  return kExitUsage;
}

int ListExplanations() {
  for (int i = 0; i < MessageCount(); ++i) {
    const MessageInfo& info = GetMessageInfo(static_cast<MessageId>(i));
    const std::vector<std::string> arguments(10, "...");
    std::string text = FormatMessage(info.format, arguments);
    // Two arguments that follow each other.
    if (const size_t at = text.find("......"); at != std::string::npos) text.erase(at, 3);
    std::printf("%s  %s\n", info.code, text.c_str());
  }
  return kExitOk;
}

}  // namespace tenure::compiler
