//===- Numbers.cpp - checks that the language's headers and TTIR use the same numbers -----------------------------===//
//
// Options of operations are passed from tilecc/detail/numbers.h to TTIR as numbers. This file contains only checks. If
// the numbers differ, the file fails to compile.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/include/tilecc/detail/numbers.h"
#include "lowering/dialects/tt/TT.h"

namespace tilecc {

namespace header = ::tt::detail;

#define SAME(number, value) static_assert(static_cast<int>(header::number) == static_cast<int>(tt::value))
SAME(cache_none, CacheModifier::NONE);
SAME(cache_ca, CacheModifier::CA);
SAME(cache_cg, CacheModifier::CG);
SAME(cache_wb, CacheModifier::WB);
SAME(cache_cs, CacheModifier::CS);
SAME(cache_wt, CacheModifier::WT);
SAME(cache_cv, CacheModifier::CV);

SAME(evict_normal, EvictionPolicy::NORMAL);
SAME(evict_first, EvictionPolicy::EVICT_FIRST);
SAME(evict_last, EvictionPolicy::EVICT_LAST);

SAME(sem_relaxed, MemSemantic::RELAXED);
SAME(sem_acquire, MemSemantic::ACQUIRE);
SAME(sem_release, MemSemantic::RELEASE);
SAME(sem_acq_rel, MemSemantic::ACQUIRE_RELEASE);

SAME(scope_gpu, MemSyncScope::GPU);
SAME(scope_cta, MemSyncScope::CTA);
SAME(scope_sys, MemSyncScope::SYSTEM);

SAME(rmw_and, RMWOp::AND);
SAME(rmw_or, RMWOp::OR);
SAME(rmw_xor, RMWOp::XOR);
SAME(rmw_add, RMWOp::ADD);
SAME(rmw_fadd, RMWOp::FADD);
SAME(rmw_max, RMWOp::MAX);
SAME(rmw_min, RMWOp::MIN);
SAME(rmw_umax, RMWOp::UMAX);
SAME(rmw_umin, RMWOp::UMIN);
SAME(rmw_xchg, RMWOp::XCHG);

SAME(precision_tf32, InputPrecision::TF32);
SAME(precision_tf32x3, InputPrecision::TF32x3);
SAME(precision_ieee, InputPrecision::IEEE);
SAME(precision_bf16x3, InputPrecision::BF16x3);
SAME(precision_bf16x6, InputPrecision::BF16x6);

SAME(format_e4m3, ScaleDotElemType::E4M3);
SAME(format_e5m2, ScaleDotElemType::E5M2);
SAME(format_e2m1, ScaleDotElemType::E2M1);
SAME(format_bf16, ScaleDotElemType::BF16);
SAME(format_fp16, ScaleDotElemType::FP16);

SAME(nan_none, PropagateNan::NONE);
SAME(nan_all, PropagateNan::ALL);
#undef SAME

} // namespace tilecc
