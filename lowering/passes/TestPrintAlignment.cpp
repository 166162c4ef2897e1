//===- TestPrintAlignment.cpp - prints the results of AxisInfo as remarks -----------------------------------------===//
//
// This pass is for tests. It has the name and output format of Triton's pass, so that the results can be compared.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AxisInfo.h"
#include "lowering/passes/Passes.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TESTPRINTALIGNMENT
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

struct TestPrintAlignment : tilecc::impl::TestPrintAlignmentBase<TestPrintAlignment> {
  void runOnOperation() override {
    AxisInfoAnalysis axisInfo(getOperation());
    getOperation().walk([&](Operation *op) {
      for (Value result : op->getResults())
        if (AxisInfo info = axisInfo.get(result); !info.isUninitialized())
          print(op->emitRemark(), info);
    });
  }

  static void print(InFlightDiagnostic remark, const AxisInfo &info) {
    auto list = [&](StringRef name, int64_t (AxisInfo::*get)(unsigned) const) {
      remark << name << " = [";
      for (unsigned d = 0; d < info.getRank(); ++d)
        remark << (d ? ", " : "") << (info.*get)(d);
      remark << "], ";
    };
    list("contiguity", &AxisInfo::getContiguity);
    list("divisibility", &AxisInfo::getDivisibility);
    list("constancy", &AxisInfo::getConstancy);
    remark << "constant_value = ";
    if (auto constant = info.getConstant())
      remark << *constant;
    else
      remark << "<none>";
  }
};

} // namespace
