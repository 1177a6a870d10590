// Results of tests as JUnit's XML, for continuous integration.
#pragma once

#include <string>
#include <vector>

#include "compiler/testing/test_results.h"

namespace tenure::compiler {

// One testsuite for each module ("QueueTest" of "QueueTest.TestPush"), one testcase for each test
// and subtest. A failed check is a failure; a process that ended is an error.
std::string JunitXml(const std::vector<TestResult>& results, const std::string& package,
                     double seconds);

}  // namespace tenure::compiler
