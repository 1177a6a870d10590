// What most files that make LLVM's code include, precompiled (configure.py). No file includes this
// header.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

#include "base/common_headers.h"
