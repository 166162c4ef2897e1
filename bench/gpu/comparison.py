"""Compares functions of shared libraries built by tcc with kernels in Triton and with torch, on one GPU, in one process
(timing.py). Options of scripts that use it:

  libNAME.so [libNAME-before.so] [kernel ...]    the second library is built by another version of the compiler
  --check             checks the results only; without a GPU, tcc's alone, with TILECC_DEVICE=cpu or emu
  --part=I/N          every N-th case from the I-th on
"""
import sys

import torch

from timing import Library, medians, off_by

device = "cuda" if torch.cuda.is_available() else "cpu"


class Comparison:
    def __init__(self):
        paths = [x for x in sys.argv[1:] if x.endswith(".so")]
        options = [x for x in sys.argv[1:] if x.startswith("--")]
        self.kernels = [x for x in sys.argv[1:] if x not in paths and x not in options]
        self.libraries = {"tcc": Library(paths[0]), **{"before": Library(path) for path in paths[1:]}}
        self.check_only = "--check" in options or device == "cpu"
        self.part, self.parts = next(([int(x) for x in o[7:].split("/")] for o in options if o.startswith("--part=")), (0, 1))
        self.cases, self.wrong = 0, 0
        if not self.check_only:
            import triton
            print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, Triton {triton.__version__}; times / tcc's, and tcc's in us")
            print("| kernel | Triton | torch | before | tcc, us | fastest of tcc, of Triton |\n|---|---|---|---|---|---|")

    def wants(self, name):
        """Counts a case, which has this name, and tells whether it shall run."""
        self.cases += 1
        return (not self.kernels or name.split(" ")[0] in self.kernels) and self.cases % self.parts == self.part

    def case(self, name, call, peer, out, expected, configs=({},), torch_call=None, prepare=lambda: None, tolerance=1e-2, warps=(4, 8)):
        """`call(library, number)` calls tcc's function with the configuration of this number; `peer(num_warps=...,
        **config)` launches Triton's kernel. After `prepare` and a call, `out` must equal `expected`, a tensor or a list
        of them. The fastest configuration of each side counts."""
        calls = {who: {f"{config} " if config else "": lambda library=library, i=i: call(library, i) for i, config in enumerate(configs)}
                 for who, library in self.libraries.items()}
        if device == "cuda":
            calls["Triton"] = {f"{config} {w} warps": lambda config=config, w=w: peer(**config, num_warps=w) for config in configs for w in warps}
        for who, forms in calls.items():
            for form, one in list(forms.items()):
                try:
                    prepare()
                    one()
                    error = max(map(off_by, out, expected)) if isinstance(out, list) else off_by(out, expected)
                    problem = "" if error < tolerance else f"is wrong: off by {error}"
                except Exception as failure:  # Triton's compiler fails, or the GPU has too little shared memory
                    problem = f"fails: {str(failure)[:200]}"
                    del forms[form]
                if problem:
                    self.wrong += 1
                    print(f"{name}: {who} {form} {problem}", flush=True)
        if self.check_only:
            print(f"{name}: {len(calls['tcc'])} configurations checked", flush=True)
            return
        best = {}
        for who, forms in calls.items():
            if forms:
                times = medians(forms, rounds=1) if len(forms) > 1 else dict.fromkeys(forms, 0)
                best[who] = min(times, key=times.get)
                if len(forms) > 1:
                    print(f"{name}: {who}: " + ", ".join(f"{form} {t * 1000:.0f} us" for form, t in times.items()), file=sys.stderr)
        fastest = {who: calls[who][form] for who, form in best.items()}
        if torch_call:
            fastest["torch"] = torch_call
        time = medians(fastest)
        ratio = lambda who: f"{time[who] / time['tcc']:.3f}" if who in time and "tcc" in time else ""
        print(f"| {name} | {ratio('Triton')} | {ratio('torch')} | {ratio('before')} | {time.get('tcc', 0) * 1000:.0f} | "
              f"{best.get('tcc', '')}; {best.get('Triton', '')} |", flush=True)
