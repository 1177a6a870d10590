// Results of tests as text for people.
#pragma once

#include <string>
#include <vector>

#include "compiler/testing/test_results.h"

namespace tenure::compiler {

// The lines for one test and its subtests. A test that has passed takes one line; with `verbose`
// its log, output and subtests follow. Paths of files are relative to here if the file is found so,
// else to `directory`.
std::string ReportTest(const std::vector<TestResult>& results, bool verbose,
                       const std::string& directory);

}  // namespace tenure::compiler
