# The lit suites of tcc: a folder per stage, whose output FileCheck checks.
#
#   lit <build>/test                 everything
#   lit <build>/test/frontend        one stage
#
# Substitutions
#   %tcc            the driver              %tcc-opt        single passes
#   %tcc-run        kernels of PTX files on the emulator
#   %tcc-run-amd    kernels of AMD's code objects on theirs
#   %tcc-tune       tables of tuned choices
#   %tcc-explore    the server of pages
#   %tcc-lsp        the language server
#   %source_dir     the project's root      %build_dir      the build folder
#   %reference_ir   Triton's own IR of three kernels (test/Inputs/reference-ir)
#   %clangxx %gxx   host compilers for code that tcc does not compile
#   %cuda_tools     the folder of cuobjdump and nvdisasm (feature: cuobjdump)
#   %cuda           the CUDA toolkit's folder (feature: cuda)
#   %cuda_sbsa      CUDA's runtime for AArch64 servers (feature: cuda-sbsa)
#   %opencl         runs a program on an OpenCL device (feature: opencl)
#   %spirv-val      the validator of SPIR-V modules (feature: spirv-tools)
#   %hip            runs a program on AMD GPUs of a fake HIP, which emulates them (test/runtime/fake-libamdhip64)
#   %emulated       runs a program, linked with --cudart=shared, on the emulator (feature: emulated-cudart)
#   %python         the python that runs this suite
#   %triton_python  a python with Triton 3.6 (feature: triton)
#   %browser_python a python with Playwright (feature: browser)
#   %torch_python   a python with PyTorch 2.11 or later (feature: torch)
# Features
#   hip-header: HIP's header is available, which Triton has (%hip_include)
#   ptxas, cuda, cuobjdump, nvcc, nvtx, opencl, triton, emulated-cudart: the tool is available; gpu: never in this suite (see gpu-bundle)
#   aarch64, riscv64: programs for these machines can be linked, and run by qemu (test/aarch64, test/riscv64)
#   browser: Chromium is available, and Playwright, which controls it
#   cmake-modules: CMake handles modules of C++20
#   clang-format: clang-format 22 is available
#   ccache, distcc, meson, torch, dpkg-deb, pip, gdb, lldb (%lldb), bazel, clangd (and clang-tidy): these tools are available
#   first-calls: the tool that determines libtilecc's layout can trace processes
#   process-limits: the compiler can be run as a user with a limit of processes
#   small-disk: a file system of 64 KB can be mounted
import glob
import os
import re
import shutil
import subprocess
import sys

import lit.formats

config.name = "tcc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".ttir", ".ttgir", ".cpp", ".test", ".ll", ".ptx"]
config.excludes = ["Inputs", "unit", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)

build, source = config.tilecc_build, config.tilecc_source
config.environment["PATH"] = os.pathsep.join([os.path.join(build, "bin"), config.llvm_tools, os.environ["PATH"]])
for name in ("TILECC_DEVICE", "TILECC_NUM_THREADS", "TILECC_CPU_LEVEL", "TILECC_EMU_LIBRARY", "TILECC_EMU_CHECKS",
             "TILECC_EMU_SCHEDULE", "TILECC_EMU_SEED", "TILECC_EMU_MAX_INSTRUCTIONS", "TILECC_EMU_PROFILE", "CUDA_PATH"):
    config.environment.pop(name, None)  # tests that need it set it themselves
config.environment["TILECC_VERIFY_PASSES"] = "1"
for name in ("HOME", "TMPDIR", "ASAN_OPTIONS", "TSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
# Caches of tests are no user's, and serve the next run.
config.environment["XDG_CACHE_HOME"] = os.path.join(build, "test", "cache")

# The toolkit that was found when the project was configured. Tests get its path and ignore PATH and the usual places.
# TILECC_CUDA_PATH selects another one; "none" hides it.
cuda = os.environ.get("TILECC_CUDA_PATH") or config.cuda_path
config.environment["TILECC_CUDA_PATH"] = cuda
if cuda == "none":
    cuda = None
if cuda:
    config.available_features.add("cuda")
    config.available_features.add("ptxas")
    if os.path.exists(os.path.join(cuda, "bin", "nvcc")):
        config.available_features.add("nvcc")
    if os.path.exists(os.path.join(cuda, "include", "nvtx3", "nvToolsExt.h")):
        config.available_features.add("nvtx")
else:
    lit_config.note("no CUDA toolkit: tests that need ptxas are unsupported (configure with -DTILECC_CUDA_PATH=<folder>)")

# From the toolkit or from separate packages.
cuda_tools = next((folder for folder in (config.cuda_tools, cuda and os.path.join(cuda, "bin"))
                   if folder and os.path.exists(os.path.join(folder, "cuobjdump"))), None)
if cuda and cuda_tools:
    config.available_features.add("cuobjdump")

if shutil.which("clang-format-22"):
    config.available_features.add("clang-format")
for tool in ("ccache", "meson", "dpkg-deb"):
    if shutil.which(tool):
        config.available_features.add(tool)

# If root starts a distcc daemon, it becomes another user, who must be able to access the compiler.
folders = [build]
while folders[-1] != os.path.dirname(folders[-1]):
    folders.append(os.path.dirname(folders[-1]))
others_reach_build = all(os.stat(folder).st_mode & 0o005 == 0o005 for folder in folders)
if shutil.which("distcc") and (os.geteuid() != 0 or others_reach_build):
    config.available_features.add("distcc")

# Limits of processes do not apply to root, so root runs the compiler as a user who has no other processes.
if os.geteuid() == 0 and others_reach_build and shutil.which("setpriv"):
    config.available_features.add("process-limits")

if shutil.which("clangd-22") and shutil.which("clang-tidy-22"):
    config.available_features.add("clangd")

if shutil.which("bazel") and os.path.exists("/usr/share/bazel/rules/java"):
    config.available_features.add("bazel")

# CMake 3.28 and later handle modules of C++20, for which they look for clang-scan-deps.
cmake = shutil.which("cmake")
cmake_version = re.findall(r"\d+", subprocess.run([cmake, "--version"], capture_output=True, text=True).stdout) if cmake else []
if [int(part) for part in cmake_version[:2]] >= [3, 28] and (shutil.which("clang-scan-deps-22") or
                                                              shutil.which("clang-scan-deps")):
    config.available_features.add("cmake-modules")

# A debugger that has permission to trace processes.
if shutil.which("gdb") and subprocess.run(["gdb", "-nx", "-batch", "-return-child-result", "-ex", "run", "true"],
                                          capture_output=True).returncode == 0:
    config.available_features.add("gdb")
    if os.path.exists(os.path.join(build, "driver", "order", "first-calls")):
        config.available_features.add("first-calls")

lldb = shutil.which("lldb-22") or shutil.which("lldb")
if lldb and subprocess.run([lldb, "--no-lldbinit", "--batch", "-o", "run", "true"], capture_output=True).returncode == 0:
    config.available_features.add("lldb")
    config.substitutions.append(("%lldb", lldb))

# A pip that can install into another environment.
if subprocess.run([sys.executable, "-m", "pip", "--python", sys.executable, "--version"], capture_output=True).returncode == 0:
    config.available_features.add("pip")

# A disk of a few kilobytes, which requires permission to mount.
if subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "-o", "size=64k", "none", "/tmp"], capture_output=True).returncode == 0:
    config.available_features.add("small-disk")

triton = config.triton_python
found = triton and subprocess.run([triton, "-c", "import triton; print(triton.__path__[0])"], capture_output=True, text=True)
hip_include = ""
if found and found.returncode == 0:
    config.available_features.add("triton")
    hip_include = os.path.join(found.stdout.strip(), "backends", "amd", "include")
    if os.path.exists(os.path.join(hip_include, "hip", "hip_runtime_api.h")):
        config.available_features.add("hip-header")
else:
    lit_config.note("no Triton: interoperability tests are unsupported (scripts/check installs it from PyPI)")
torch = config.torch_python
if torch and os.path.exists(torch):
    config.available_features.add("torch")

# An OpenCL implementation for the CPU, with its loader.
opencl = config.opencl
if opencl and os.path.exists(os.path.join(opencl, "libintelocl.so")):
    config.available_features.add("opencl")
else:
    lit_config.note("no OpenCL: programs for OpenCL devices are not run (scripts/check installs it from PyPI)")

# CUDA's runtime for AArch64 servers.
cuda_sbsa = os.path.join(build, "cuda-sbsa", "nvidia", "cu13")
if os.path.exists(os.path.join(cuda_sbsa, "lib", "libcudart_static.a")):
    config.available_features.add("cuda-sbsa")
else:
    lit_config.note("no CUDA runtime for AArch64: SIMT programs for it are not linked (scripts/check installs it from PyPI)")

# A validator that knows Intel's extensions of SPIR-V.
spirv_val = os.path.join(build, "spirv-tools", "bin", "spirv-val")
if os.path.exists(spirv_val):
    config.available_features.add("spirv-tools")
else:
    lit_config.note("no SPIR-V tools: modules with Intel's extensions are not validated (scripts/check installs them from PyPI)")

# Programs for other machines: the runtime for them, which the build makes if the libraries of C and C++ are there, and qemu.
for machine, package in [("aarch64", "arm64"), ("riscv64", "riscv64")]:
    runtime = os.path.join(build, "lib", "tilecc", f"{machine}-linux-gnu", "libtilecc_rt.a")
    if os.path.exists(runtime) and shutil.which(f"qemu-{machine}"):
        config.available_features.add(machine)
    else:
        lit_config.note(f"no programs for {machine}: install qemu-user and libstdc++-12-dev-{package}-cross, and configure again")

browser_python = config.browser_python
if browser_python and os.path.exists(browser_python) and shutil.which("chromium"):
    config.available_features.add("browser")
else:
    lit_config.note("no browser: pages of --emit=html are not opened (scripts/check installs Playwright from PyPI beside chromium)")

# NCCL's device API is in headers of a wheel that scripts/check does not install: TILECC_NCCL names its folder.
nccl = os.environ.get("TILECC_NCCL", "")
if os.path.exists(os.path.join(nccl, "include", "nccl_device.h")):
    config.available_features.add("nccl-device")
    config.substitutions.append(("%nccl", nccl))

# test/mutation removes a third of the instructions, another one at each commit. TILECC_MUTATION_PART=all removes all of them;
# so does a source without a history.
history = subprocess.run(["git", "-C", config.test_source_root, "rev-list", "--count", "HEAD"], capture_output=True, text=True)
mutation_part = os.environ.get("TILECC_MUTATION_PART") or (
    f"{int(history.stdout) % 3 + 1}/3" if history.returncode == 0 else "all")
config.substitutions.append(("%mutation_part", mutation_part))
if mutation_part == "all":
    config.available_features.add("mutation-all")

# Our own CUDA runtime on the emulator is built if the toolkit's headers were found.
emulated = os.path.join(build, "lib", "tilecc", "emulated")
if glob.glob(os.path.join(emulated, "libcudart.so.*")):
    config.available_features.add("emulated-cudart")

for key, value in [
    ("%emulated", "env LD_LIBRARY_PATH=" + emulated),
    ("%opencl", f"env TILECC_DEVICE=opencl OCL_ICD_FILENAMES={opencl}/libintelocl.so LD_LIBRARY_PATH={opencl}"),
    ("%hip_include", hip_include),
    ("%hip", f"env TILECC_DEVICE=hip LD_LIBRARY_PATH={build}/test/runtime/fake-libamdhip64"),
    ("%tcc-opt", os.path.join(build, "bin", "tcc-opt")),
    ("%tcc-run-amd", os.path.join(build, "bin", "tcc-run-amd")),
    ("%tcc-run", os.path.join(build, "bin", "tcc-run")),
    ("%tcc-tune", os.path.join(build, "bin", "tcc-tune")),
    ("%tcc-explore", os.path.join(build, "bin", "tcc-explore")),
    ("%tcc-lsp", os.path.join(build, "bin", "tcc-lsp")),
    ("%tcc", os.path.join(build, "bin", "tcc")),
    ("%spirv-val", spirv_val),
    ("%source_dir", source),
    ("%build_dir", build),
    ("%reference_ir", os.path.join(source, "test", "Inputs", "reference-ir")),
    ("%clangxx", shutil.which("clang++-22") or os.path.join(config.llvm_tools, "clang++")),
    ("%gxx", shutil.which("g++") or "g++"),
    ("%cuda_sbsa", cuda_sbsa),
    ("%cuda_tools", cuda_tools or ""),
    ("%cuda", cuda or ""),
    ("%triton_python", triton),
    ("%torch_python", torch),
    ("%browser_python", browser_python),
    ("%python", sys.executable),
]:
    config.substitutions.append((key, value))
