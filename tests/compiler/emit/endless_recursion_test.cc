#include "compiler/emit/endless_recursion.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/compiler/emit/analyses.h"

namespace tenure::compiler {
namespace {

// The names of the functions whose calls must stay, in the order of the module.
std::string Kept(const std::string& code) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = ModuleOf(code, context);
  if (module == nullptr) return {};
  llvm::ModuleAnalysisManager analyses;
  EndlessRecursionPass().run(*module, analyses);
  std::string names;
  for (const llvm::Function& function : *module) {
    if (function.getFnAttribute("disable-tail-calls").getValueAsBool()) {
      names += function.getName().str() + " ";
    }
  }
  return names;
}

TEST(EndlessRecursionTest, ProceduresThatAlwaysCallThemselves) {
  EXPECT_EQ(Kept(R"(
define i64 @self(i64 %n) {
  %r = call i64 @self(i64 %n)
  ret i64 %r
}
define void @a(i1 %c) {
  br i1 %c, label %one, label %two
one:
  call void @b(i1 %c)
  br label %two
two:
  call void @b(i1 %c)
  ret void
}
define void @b(i1 %c) {
  call void @a(i1 %c)
  ret void
}
)"),
            "self a b ");
}

TEST(EndlessRecursionTest, RecursionWithAnEndIsLeftAlone) {
  EXPECT_EQ(Kept(R"(
declare void @elsewhere()
define i64 @length(ptr %l) {
  %nil = icmp eq ptr %l, null
  br i1 %nil, label %none, label %some
none:
  ret i64 0
some:
  %next = load ptr, ptr %l
  %rest = call i64 @length(ptr %next)
  %all = add i64 %rest, 1
  ret i64 %all
}
define void @even(i1 %c) {
  call void @odd(i1 %c)
  call void @elsewhere()
  ret void
}
define void @odd(i1 %c) {
  br i1 %c, label %end, label %more
more:
  call void @even(i1 %c)
  br label %end
end:
  ret void
}
define void @loop() {
  br label %again
again:
  call void @elsewhere()
  br label %again
}
)"),
            "");
}

TEST(EndlessRecursionTest, HandlerMayReturn) {
  const std::string code = R"(
declare i32 @personality(...)
define void @f() personality ptr @personality {
  invoke void @f() to label %done unwind label %handler
done:
  ret void
handler:
  %e = landingpad { ptr, i32 } catch ptr null
  LAST
}
)";
  std::string returns = code, resumes = code;
  returns.replace(returns.find("LAST"), 4, "ret void");
  resumes.replace(resumes.find("LAST"), 4, "resume { ptr, i32 } %e");
  EXPECT_EQ(Kept(returns), "");
  EXPECT_EQ(Kept(resumes), "f ");
}

}  // namespace
}  // namespace tenure::compiler
