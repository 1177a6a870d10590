// OO7 over any heap (lab/oo7), with pointers: pointer_code_test.py compares the code of this file
// with that of plain.cc.
#include "lab/oo7/operations.h"
#include "lab/oo7/pointer_heap.h"

using Code = tenure::lab::oo7::Operations<tenure::lab::oo7::PlainHeap>;
using tenure::lab::oo7::PlainHeap;

int64_t Use(int what, tenure::lab::oo7::Library<PlainHeap>* library,
            tenure::lab::oo7::Module<PlainHeap>* m, tenure::lab::oo7::AtomicPart<PlainHeap>* part) {
  switch (what) {
    case 0: return Code::Visit(part);
    case 1: return Code::VisitAndUpdate<Code::Update>(part, 4);
    case 3: return Code::TraverseUp(library, m);
    case 4: return Code::OutOfDate(library, m);
    default: return Code::CountIn(m->manual->text.chars, m->manual->text.size, 'I');
  }
}
