#include "compiler/driver/explain.h"

#include <cctype>
#include <cstdio>
#include <fstream>

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
               "tenure: no diagnostic has the code '%s'; codes look like M0304, W0301 or N0301\n",
               code.c_str());
  return kExitUsage;
}

}  // namespace tenure::compiler
