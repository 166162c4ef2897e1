//===- Options.td - every option of tcc, once ---------------------------------------------------------*- tablegen -*-//
//
// nvcc's options with nvcc's meaning, and Clang's spelling where both exist. Parsing, --help and spelling hints all use
// this table. Options in HostGroup are passed to the host compiler unchanged, and so are options that are only in
// Clang's own table (CommandLine.cpp). NvccOptions.td lists nvcc options that tcc does not need.
//
//===--------------------------------------------------------------------------------------------------------------===//

include "llvm/Option/OptParser.td"

def OutputGroup : OptionGroup<"output">, HelpText<"WHAT TO PRODUCE">;
def GpuGroup : OptionGroup<"gpu">, HelpText<"GPU CODE">;
def TargetGroup : OptionGroup<"target">, Group<GpuGroup>; // -arch and related options
def HostGroup : OptionGroup<"host">, HelpText<"HOST COMPILATION (and preprocessing, which kernels share)">;
def LinkGroup : OptionGroup<"link">, HelpText<"LINKING">;
def DependencyGroup : OptionGroup<"dependency">, HelpText<"DEPENDENCY FILES">;
def InspectGroup : OptionGroup<"inspect">, HelpText<"LOOKING INSIDE">;
def ToolGroup : OptionGroup<"tool">, HelpText<"TOOLS">;

class Out : Group<OutputGroup>;
class Gpu : Group<GpuGroup>;
class Host : Group<HostGroup>;
class Link : Group<LinkGroup>;
class Dep : Group<DependencyGroup>;
class Inspect : Group<InspectGroup>;
class Tool : Group<ToolGroup>;

// Options whose value nvcc splits at commas. GCC and Clang do not, so for spellings shared with them, only tcc-nvcc
// splits.
def CommaList : OptionFlag;

// nvcc's spellings: --long and -short, with a value after a blank or '='.
multiclass NvccFlag<string long, string short, OptionGroup group, string help> {
  def "" : Flag<["-"], short>, Group<group>, HelpText<help>;
  def _long : Flag<["--"], long>, Alias<!cast<Option>(NAME)>;
}
multiclass NvccValue<string long, string short, OptionGroup group, string meta, string help, string values = ""> {
  def _EQ : Joined<["-"], short # "=">, Group<group>, MetaVarName<meta>, HelpText<help>, Values<values>;
  def "" : Separate<["-"], short>, Alias<!cast<Option>(NAME # "_EQ")>;
  def _long : Separate<["--"], long>, Alias<!cast<Option>(NAME # "_EQ")>;
  def _long_EQ : Joined<["--"], long # "=">, Alias<!cast<Option>(NAME # "_EQ")>;
}
// nvcc's spellings of an option that GCC spells the same way.
multiclass AlsoFlag<string long, Option option> {
  def _long : Flag<["--"], long>, Alias<option>;
}
multiclass AlsoValue<string long, string short, Option option> {
  def _nvcc_EQ : Joined<["-"], short # "=">, Alias<option>;
  def _long : Separate<["--"], long>, Alias<option>;
  def _long_EQ : Joined<["--"], long # "=">, Alias<option>;
}

//===--- what to produce ------------------------------------------------------------------------------------------===//

def o : JoinedOrSeparate<["-"], "o">, Out, MetaVarName<"<file>">, HelpText<"Write the output to <file>; - is standard output">;
defm o : AlsoValue<"output-file", "o", o>;
defm odir : NvccValue<"output-directory", "odir", OutputGroup, "<dir>", "Write outputs that -o does not name to <dir>">;
def c : Flag<["-"], "c">, Out, HelpText<"Compile to an object file, do not link">;
defm c : AlsoFlag<"compile", c>;
defm dc : NvccFlag<"device-c", "dc", OutputGroup, "The same as -c -rdc=true">;
defm dw : NvccFlag<"device-w", "dw", OutputGroup, "The same as -c -rdc=false">;
defm dlink : NvccFlag<"device-link", "dlink", OutputGroup,
  "Link the relocatable device code of objects and libraries into an object, for a host link by another program">;
def host_link : Option<["--"], "host-link", KIND_REMAINING_ARGS>, Out, MetaVarName<"<command>">,
  HelpText<"With -dlink: run <command>, which is the rest of the line and links a program, with the object that the "
           "device link of its objects makes">;
defm link : NvccFlag<"link", "link", OutputGroup, "Compile and link; this is the default">;
defm lib : NvccFlag<"lib", "lib", OutputGroup, "Compile, and put the objects into a static library">;
defm run : NvccFlag<"run", "run", OutputGroup, "Compile, link, and run the program">;
defm run_args : NvccValue<"run-args", "run-args", OutputGroup, "<arguments>",
  "With -run: arguments of the program, separated by commas">;
def tile_link_EQ : Joined<["--"], "tile-link=">, Flags<[HelpHidden]>, Out; // used in printed steps
def registration_list_EQ : Joined<["--"], "registration-list=">, Flags<[HelpHidden]>, Out, // used in printed steps
  HelpText<"The last step of a device link">;
def E : Flag<["-"], "E">, Out, HelpText<"Preprocess only">;
defm E : AlsoFlag<"preprocess", E>;
def fsyntax_only : Flag<["-"], "fsyntax-only">, Out, HelpText<"Check sources, kernels included, and write nothing">;
def fdevice_syntax_only : Flag<["-", "--"], "fdevice-syntax-only">, Alias<fsyntax_only>;
def S : Flag<["-"], "S">, Out, HelpText<"Compile the host code to assembly (the same as --emit=host-asm)">;
defm ptx : NvccFlag<"ptx", "ptx", OutputGroup, "Compile the kernels to PTX">;
defm cubin : NvccFlag<"cubin", "cubin", OutputGroup, "Compile the kernels to a cubin, for one -arch">;
defm fatbin : NvccFlag<"fatbin", "fatbin", OutputGroup, "Compile the kernels to a fatbinary">;
defm tilecubin : NvccFlag<"tilecubin", "tilecubin", OutputGroup, "Compile the tile kernels to a cubin (-cubin --tile-only)">;
defm tilefatbin : NvccFlag<"tilefatbin", "tilefatbin", OutputGroup,
  "Compile the tile kernels to a fatbinary (-fatbin --tile-only)">;
def emit_EQ : Joined<["--"], "emit=">, Out, MetaVarName<"<stage>">,
  Values<"ttir,ttgir,llvm,ptx,spirv,amdgcn,hsaco,cubin,sass,fatbin,c-launcher,json,html,annotations,cpu-llvm,cpu-asm,host-llvm,"
         "host-asm,obj">,
  HelpText<"Stop at a stage: ttir, ttgir, llvm, ptx, spirv, amdgcn, hsaco, cubin, sass, fatbin, cpu-llvm, cpu-asm, "
           "host-llvm, host-asm or obj; or write c-launcher, a .c and a .h that load and launch the kernels by the "
           "CUDA driver API, or json, a description of the kernels, or html, a page that shows all stages side by "
           "side, or annotations, what an editor shows beside the source, as JSON (see docs/editors.md). Text goes to standard output unless -o is given">;
def emit_llvm : Flag<["-"], "emit-llvm">, Out, HelpText<"With -S, LLVM IR of the host code (the same as --emit=host-llvm)">;
def kernel_EQ : Joined<["--"], "kernel=">, Out, MetaVarName<"<name>">,
  HelpText<"With --emit, -ptx, -cubin: only the kernel of this name (as written, add<1024>, or mangled)">;
def variant_EQ : Joined<["--"], "variant=">, Out, MetaVarName<"<v>">, Values<"u16,u8,u16_2,u8_2,u16_3,u8_3,a16,a8,p16,generic,all">,
  HelpText<"With --emit, -ptx, -cubin: a16 (pointers and integers divisible by 16, the default), a8 (integers by 8), "
           "p16 (pointers only), generic, or all. For a source with SIMT code, these options show the SIMT code, "
           "unless --variant, --kernel or --tile-only asks for tile kernels">;
def profile_EQ : Joined<["--"], "profile=">, Out, MetaVarName<"<file>">,
  HelpText<"With --emit=html: show what runs did, from a profile of the emulator (TILECC_EMU_PROFILE) or the CSV of "
           "ncu --page source; may be repeated">;
def remap_file_EQ : Joined<["--"], "remap-file=">, Out, MetaVarName<"<path>;<file>">,
  HelpText<"Read <file> for the source or header <path>, as for a file that an editor has not saved; may be repeated">;
def shared : Flag<["-", "--"], "shared">, Out, HelpText<"Link a shared library">;

//===--- GPU code -------------------------------------------------------------------------------------------------===//

defm arch : NvccValue<"gpu-architecture", "arch", TargetGroup, "<arch>",
  "sm_XX (its code and its PTX), compute_XX (PTX only), native, all or all-major; gfx90a, gfx942, gfx950, gfx1100 or "
  "gfx1201 for AMD's GPUs, spirv64 for OpenCL devices; default: code for sm_80 and sm_90, and PTX for compute_90">;
defm gpu_code : NvccValue<"gpu-code", "code", TargetGroup, "<arch>,...",
  "With -arch=compute_XX: the code and PTX to generate from it">;
defm gencode : NvccValue<"generate-code", "gencode", TargetGroup, "arch=compute_XX,code=[sm_XX,compute_XX]",
  "Add code or PTX for one target; may be repeated">;
def offload_arch_EQ : Joined<["--"], "offload-arch=">, Group<TargetGroup>, MetaVarName<"<arch>,...">,
  HelpText<"As in Clang: add code and PTX for these architectures; may be repeated">;
def load_backend_EQ : Joined<["--"], "load-backend=">, Gpu, MetaVarName<"<file>">,
  HelpText<"Load a back end from a shared library, so that -arch and --offload-arch accept its targets; may be "
           "repeated. TILECC_BACKENDS also names such libraries, separated by colons: see docs/plug-ins.md">;
def cuda_gpu_arch_EQ : Joined<["--"], "cuda-gpu-arch=">, Alias<offload_arch_EQ>;
defm lineinfo : NvccFlag<"generate-line-info", "lineinfo", GpuGroup, "Put line information into cubins, for profilers">;
defm source_in_ptx : NvccFlag<"source-in-ptx", "src-in-ptx", GpuGroup, "Put the lines of the source into PTX, as comments">;
def static_shared : Flag<["--"], "static-shared">, Gpu,
  HelpText<"Let kernels define their own shared memory and take no additional parameters, so that a launch needs to "
           "know neither, as launches of CUDA Tile kernels expect: see docs/cutile.md">;
def ffusion : Flag<["-"], "ffusion">, Gpu,
  HelpText<"Put the IR of kernels into the object, so that launches of captured graphs can be fused: see "
           "docs/fusion.md">;
def fcheck_replicas : Flag<["-"], "fcheck-replicas">, Gpu,
  HelpText<"Mark values in PTX that several threads hold copies of, so that the emulator can compare them: see "
           "docs/emulator.md">;
def fprofile_tile : Flag<["-"], "fprofile-tile">, Gpu,
  HelpText<"Let kernels record when their loops, dots, waits and tt::profile_scopes begin and end: see "
           "docs/profiling.md">;
def tune_table_EQ : Joined<["--"], "tune-table=">, Gpu, MetaVarName<"<file>">,
  HelpText<"Put a table of choices that tcc-tune has made into the object: see docs/tuning.md">;
defm maxrregcount : NvccValue<"maxrregcount", "maxrregcount", GpuGroup, "<n>", "Use at most <n> registers per thread">;
defm fmad : NvccValue<"fmad", "fmad", GpuGroup, "<true|false>",
  "Contract multiplications and additions in kernels to fused multiply-adds; default: true", "true,false">;
defm ftz : NvccValue<"ftz", "ftz", GpuGroup, "<true|false>",
  "Flush subnormal floats to zero on GPUs; default: false", "true,false">;
defm prec_div : NvccValue<"prec-div", "prec-div", GpuGroup, "<true|false>",
  "Round divisions of floats correctly on GPUs; default: false, as in Triton (nvcc: true)", "true,false">;
defm prec_sqrt : NvccValue<"prec-sqrt", "prec-sqrt", GpuGroup, "<true|false>",
  "Round square roots of floats correctly on GPUs; default: false, as in Triton (nvcc: true)", "true,false">;
defm use_fast_math : NvccFlag<"use_fast_math", "use_fast_math", GpuGroup,
  "Use the GPU's approximate functions for float; implies -ftz=true -prec-div=false -prec-sqrt=false -fmad=true">;
def num_warps_EQ : Joined<["-", "--"], "num-warps=">, Gpu, MetaVarName<"<n>">,
  HelpText<"Number of warps for kernels without [[tt::num_warps(n)]]; default: chosen from the tiles of the kernel; "
           "4 for TTIR inputs">;
def num_stages_EQ : Joined<["-", "--"], "num-stages=">, Gpu, MetaVarName<"<n>">,
  HelpText<"Number of stages of pipelined loops for kernels without [[tt::num_stages(n)]]; default: 3">;
def num_ctas_EQ : Joined<["--"], "num-ctas=">, Gpu, MetaVarName<"<n>">,
  HelpText<"For TTIR inputs: number of thread blocks that run a program together, as [[tt::num_ctas(n)]] in a source; "
           "default: 1">;
def num_consumers_EQ : Joined<["--"], "num-consumers=">, Gpu, MetaVarName<"<n>">,
  HelpText<"For TTIR inputs: number of programs that may share a block and the tiles that their loops load, as "
           "[[tt::num_consumers(n)]] in a source; default: 1">;
def persistent : Flag<["--"], "persistent">, Gpu,
  HelpText<"For TTIR inputs: let a block run several programs, as [[tt::persistent]] in a source">;
def tensor_maps_EQ : Joined<["--"], "tensor-maps=">, Gpu, Values<"true,false">, MetaVarName<"<true|false>">,
  HelpText<"Let kernels take tensor maps after their parameters. The runtime makes these maps at each launch; with "
           "--static-shared, kernels make them themselves. Default: true in objects, in pages and with "
           "--static-shared, false if only GPU code is written in other cases">;
defm resource_usage : NvccFlag<"resource-usage", "res-usage", GpuGroup,
  "Print the registers and memory that each kernel uses">;
defm Xptxas : NvccValue<"ptxas-options", "Xptxas", GpuGroup, "<options>", "Pass comma-separated options to ptxas">;
def Xcuda_ptxas : Separate<["-"], "Xcuda-ptxas">, Alias<Xptxas_EQ>;
defm Xnvlink : NvccValue<"nvlink-options", "Xnvlink", GpuGroup, "<options>",
  "Pass comma-separated options to nvlink, which links relocatable device code">;
defm Xfatbin : NvccValue<"fatbin-options", "Xfatbin", GpuGroup, "<options>",
  "Pass comma-separated options to fatbinary, which makes one file of the code for several GPUs">;
defm dlto : NvccFlag<"dlink-time-opt", "dlto", GpuGroup,
  "With -dlink or a link of objects: accepted, without effect on tcc's objects; an error for a source">;
defm compress_mode : NvccValue<"compress-mode", "compress-mode", GpuGroup, "<mode>",
  "Compress the fatbinary, as nvcc does; default: none, so that the PTX in a program is readable",
  "default,size,speed,balance,none">;
defm no_compress : NvccFlag<"no-compress", "no-compress", GpuGroup, "The same as -compress-mode=none">;
def cuda_path_EQ : Joined<["--"], "cuda-path=">, Gpu, MetaVarName<"<dir>">,
  HelpText<"The CUDA toolkit; default: TILECC_CUDA_PATH, CUDA_PATH, the one nvcc on PATH belongs to, /usr/local/cuda; "
           "'none' uses none: kernels are then embedded as PTX">;
def include_fatbin_EQ : Joined<["--"], "include-fatbin=">, Gpu, MetaVarName<"<file>">,
  HelpText<"Embed this fatbinary, made by --fatbin from the same source with the same options, instead of making one">;
def cpu_level_EQ : Joined<["--"], "cpu-level=">, Gpu, MetaVarName<"<level>">,
  HelpText<"Compile kernels for CPUs of this level only: on x86-64 2, 3, 4 or 5 (4 and AMX), on AArch64 neon, sve128, "
           "sve256 or sve512, on RISC-V rv64gc, rvv128, rvv256 or rvv512; default: all levels, but 5 only for kernels with products that AMX supports; a program "
           "uses the best level that the machine supports">;
def reproduce_pass_EQ : Joined<["--"], "reproduce-pass=">, Flags<[HelpHidden]>, // used by a crash report's command
  HelpText<"Print MLIR's reproducer of the pass of this number and end">;
def include_simt_fatbin_EQ : Joined<["--"], "include-simt-fatbin=">, Flags<[HelpHidden]>, Gpu, // used in printed steps
  HelpText<"The same for the SIMT kernels of the source">;
def simt : Flag<["--"], "simt">, Gpu,
  HelpText<"Accept SIMT code (__device__, threadIdx, <<<grid, block>>>) in every source, as in a .cu; needs a CUDA toolkit">;
defm cudart : NvccValue<"cudart", "cudart", GpuGroup, "<kind>",
  "The CUDA runtime, which launches SIMT kernels: static (the default), shared, or none", "static,shared,none">;
defm cudadevrt : NvccValue<"cudadevrt", "cudadevrt", GpuGroup, "<kind>",
  "The CUDA runtime for device code, in a device link: static (the default) or none", "static,none">;
def device_library_EQ : Joined<["--"], "device-library=">, Gpu, MetaVarName<"<file>">,
  HelpText<"LLVM bitcode or IR with functions that SIMT code calls, and tile kernels through <tilecc/threads.h>; may "
           "be repeated">;
defm libdevice_directory : NvccValue<"libdevice-directory", "ldir", GpuGroup, "<dir>",
  "The folder with libdevice.10.bc; default: that of the CUDA toolkit">;
defm default_stream : NvccValue<"default-stream", "default-stream", GpuGroup, "<kind>",
  "The stream of SIMT launches without a stream: legacy (the default), null (the same), or per-thread",
  "legacy,null,per-thread">;
def preamble_dir_EQ : Joined<["--"], "preamble-dir=">, Gpu, MetaVarName<"<dir>">,
  HelpText<"Keep the preambles (includes and macros) of sources with SIMT code precompiled in <dir>, to compile the "
           "sources again faster">;
defm G : NvccFlag<"device-debug", "G", GpuGroup, "Debug information for SIMT code, without optimization">;
defm dopt : NvccValue<"dopt", "dopt", GpuGroup, "on",
  "With -G: optimize nevertheless; the debug information is then line information", "on">;
defm rdc : NvccValue<"relocatable-device-code", "rdc", GpuGroup, "<true|false>",
  "Relocatable device code: SIMT code may use functions and variables of other objects, and launch kernels; default: false",
  "true,false">;
def fgpu_rdc : Flag<["-"], "fgpu-rdc">, Alias<rdc_EQ>, AliasArgs<["true"]>;
def fno_gpu_rdc : Flag<["-"], "fno-gpu-rdc">, Alias<rdc_EQ>, AliasArgs<["false"]>;
defm nodlink : NvccFlag<"no-device-link", "nodlink", GpuGroup, "Link objects without a device link">;

//===--- host compilation -----------------------------------------------------------------------------------------===//

def I : JoinedOrSeparate<["-"], "I">, Host, Flags<[CommaList]>, MetaVarName<"<dir>">, HelpText<"Search <dir> for headers">;
defm I : AlsoValue<"include-path", "I", I>;
def isystem : JoinedOrSeparate<["-"], "isystem">, Host, Flags<[CommaList]>, MetaVarName<"<dir>">,
  HelpText<"Search <dir> for system headers">;
defm isystem : AlsoValue<"system-include", "isystem", isystem>;
def iquote : JoinedOrSeparate<["-"], "iquote">, Host, MetaVarName<"<dir>">, HelpText<"Search <dir> for quoted headers">;
def idirafter : JoinedOrSeparate<["-"], "idirafter">, Host, MetaVarName<"<dir>">;
def isysroot : JoinedOrSeparate<["-"], "isysroot">, Host, MetaVarName<"<dir>">;
def include_ : JoinedOrSeparate<["-"], "include">, Host, Flags<[CommaList]>, MetaVarName<"<file>">,
  HelpText<"Include <file> first">;
defm include_ : AlsoValue<"pre-include", "include", include_>;
def imacros : JoinedOrSeparate<["-"], "imacros">, Host, MetaVarName<"<file>">;
def H : Flag<["-"], "H">, Host, HelpText<"Print the name of each header that is parsed">;
def D : JoinedOrSeparate<["-"], "D">, Host, Flags<[CommaList]>, MetaVarName<"<macro>[=<value>]">, HelpText<"Define a macro">;
defm D : AlsoValue<"define-macro", "D", D>;
def U : JoinedOrSeparate<["-"], "U">, Host, Flags<[CommaList]>, MetaVarName<"<macro>">, HelpText<"Undefine a macro">;
defm U : AlsoValue<"undefine-macro", "U", U>;
defm std : NvccValue<"std", "std", HostGroup, "<standard>", "C++ standard, default gnu++20">;
def target_EQ : Joined<["--"], "target=">, Host, MetaVarName<"<triple>">,
  HelpText<"Compile host code and the kernels' CPU code for this machine: x86_64-linux-gnu, aarch64-linux-gnu or "
           "riscv64-linux-gnu; default: for machines like this one">;
def : Separate<["-"], "target">, Alias<target_EQ>;
def O : Joined<["-"], "O">, Host, MetaVarName<"<0|1|2|3|s|z|g>">,
  HelpText<"Optimize the host code; kernels are always optimized">;
defm O : AlsoValue<"optimize", "O", O>;
def g_Group : Joined<["-"], "g">, Host, HelpText<"Debug information for the host code, line information for kernels">;
def debug_long : Flag<["--"], "debug">, Alias<g_Group>;
def W : Joined<["-"], "W">, Host, MetaVarName<"<warning>">, HelpText<"Enable a warning; -Wno-<warning> disables it">;
def Werror_EQ : Joined<["-"], "Werror=">, Host, MetaVarName<"<warning>,...">,
  HelpText<"Turn warnings into errors; all-warnings: all of them, as -Werror alone">;
def Werror_EQ_long : Joined<["--"], "Werror=">, Alias<Werror_EQ>;
def Wreorder_long : Flag<["--"], "Wreorder">, Alias<W>, AliasArgs<["reorder"]>;
def Wno_deprecated_declarations_long : Flag<["--"], "Wno-deprecated-declarations">, Alias<W>,
  AliasArgs<["no-deprecated-declarations"]>;
def Wtile : Joined<["-"], "Wtile-">, Gpu, MetaVarName<"<name>">,
  HelpText<"Enable a warning about kernels: spill, ptxas, cpu, loop, view, uninitialized, size (all are on), offset; "
           "-Wno-tile-<name> disables it; -Wtile-spill=all checks every variant of a kernel, not only the one that a "
           "launch prefers">;
def Rtile_EQ : Joined<["-"], "Rtile=">, Gpu, Values<"warps,loops,blocks,accesses,conversions,dots,pipelines">, MetaVarName<"<what>">,
  HelpText<"Report decisions about kernels: warps, the number of warps and the reason; loops, those that are split so that "
           "most iterations need no mask; blocks, those that run several programs; and, for GPUs, accesses, how much of "
           "global memory an instruction accesses, conversions, tiles that move between threads, dots, the instructions that "
           "compute them, and pipelines, the stages of loops, each with the reason; instead of the last four, the name of "
           "the pass that decides">;
def Rtile_missed : Flag<["-"], "Rtile-missed">, Gpu,
  HelpText<"Report narrow accesses, conversions, dots without matrix instructions and loops that are not pipelined">;
def ftile_record_file_EQ : Joined<["-"], "ftile-record-file=">, Gpu, MetaVarName<"<file>">,
  HelpText<"Write the remarks of -Rtile= on all variants of the kernels of a source, as YAML in the format of Clang's "
           "-fsave-optimization-record">;
defm enable_tile : NvccFlag<"enable-tile", "enable-tile", GpuGroup,
  "Accepted without effect: tcc always compiles tile kernels">;
defm tile_only : NvccFlag<"tile-only", "tile-only", GpuGroup,
  "With --emit, -ptx, -cubin, -fatbin: the tile kernels of a source that has SIMT code, too">;
def Wno_tile : Joined<["-"], "Wno-tile-">, Gpu;
def Werror_tile : Joined<["-"], "Werror=tile-">, Gpu;
def Wno_error_tile : Joined<["-"], "Wno-error=tile-">, Gpu;
def w : Flag<["-"], "w">, Host, HelpText<"No warnings">;
defm w : AlsoFlag<"disable-warnings", w>;
def Wa : CommaJoined<["-"], "Wa,">, Host, MetaVarName<"<option>">;
def Wp : CommaJoined<["-"], "Wp,">, Host, MetaVarName<"<option>">;
def pedantic : Flag<["-", "--"], "pedantic">, Host;
def pedantic_errors : Flag<["-", "--"], "pedantic-errors">, Host;
def fsanitize_EQ : Joined<["-"], "fsanitize=">, Host, MetaVarName<"<kinds>">,
  HelpText<"Clang's sanitizers for the host code; tile: CPU code of kernels checks that each access lies in its "
           "allocation and that its offset has not overflowed">;
def f_Group : Joined<["-"], "f">, Host, MetaVarName<"<feature>">, HelpText<"Clang's -f options for the host code">;
def m_Group : Joined<["-"], "m">, Host, MetaVarName<"<feature>">, HelpText<"Clang's -m options for the host code">;
def pthread : Flag<["-"], "pthread">, Host, HelpText<"Compile and link with threads">;
def pg : Flag<["-"], "pg">, Host, HelpText<"Instrument for gprof">;
defm pg : AlsoFlag<"profile", pg>;
defm noeh : NvccFlag<"no-exceptions", "noeh", HostGroup, "Disable exceptions, as -fno-exceptions">;
defm ftemplate_depth : NvccValue<"ftemplate-depth", "ftemplate-depth", HostGroup, "<n>",
  "Maximum depth of template instantiations">;
defm ftemplate_backtrace_limit : NvccValue<"ftemplate-backtrace-limit", "ftemplate-backtrace-limit", HostGroup, "<n>",
  "Maximum number of instantiation notes in a message; 0: no limit">;
defm frandom_seed : NvccValue<"frandom-seed", "frandom-seed", HostGroup, "<text>",
  "Seed of random numbers; objects are reproducible without it">;
defm m : NvccValue<"machine", "m", HostGroup, "64", "Generate 64-bit code; the only mode">;
def m64 : Flag<["-", "--"], "m64">, Alias<m_EQ>, AliasArgs<["64"]>;
def ansi : Flag<["-", "--"], "ansi">, Host;
def Xarch_host : Separate<["-"], "Xarch_host">, Host, Flags<[RenderAsInput]>, MetaVarName<"<option>">,
  HelpText<"As in Clang: an option for the host code">;
def clang_argument : Separate<["--"], "clang-argument">, Flags<[HelpHidden, RenderAsInput]>, Host; // from Clang's table
def x : JoinedOrSeparate<["-"], "x">, Host, MetaVarName<"<language>">,
  HelpText<"Treat the following inputs as tile (a .tt.cpp), cu, c++, c, ... or none">;
defm x : AlsoValue<"x", "x", x>;
defm Xcompiler : NvccValue<"compiler-options", "Xcompiler", HostGroup, "<options>",
  "Pass comma-separated options to the host compiler">;
defm ccbin : NvccValue<"compiler-bindir", "ccbin", HostGroup, "<compiler>",
  "A g++, or its folder: compile and link the host code with its headers and libraries; the compiler is always Clang">;

//===--- linking --------------------------------------------------------------------------------------------------===//

def L : JoinedOrSeparate<["-"], "L">, Link, Flags<[CommaList]>, MetaVarName<"<dir>">, HelpText<"Search <dir> for libraries">;
defm L : AlsoValue<"library-path", "L", L>;
def l : JoinedOrSeparate<["-"], "l">, Link, Flags<[CommaList]>, MetaVarName<"<library>">, HelpText<"Link a library">;
defm l : AlsoValue<"library", "l", l>;
def Wl : CommaJoined<["-"], "Wl,">, Link, MetaVarName<"<options>">, HelpText<"Pass comma-separated options to the linker">;
defm Xlinker : NvccValue<"linker-options", "Xlinker", LinkGroup, "<options>", "Pass comma-separated options to the linker">;
defm Xarchive : NvccValue<"archive-options", "Xarchive", LinkGroup, "<options>",
  "With -lib: pass comma-separated options to the archiver">;
defm archiver_binary : NvccValue<"archiver-binary", "arbin", LinkGroup, "<program>", "The archiver; default: ar">;
def clang_link_argument : Separate<["--"], "clang-link-argument">, Flags<[HelpHidden, RenderAsInput]>, Link;
def static_ : Flag<["-"], "static">, Link, HelpText<"Link without shared libraries; the program then cannot use a GPU">;
def static_libstdcxx : Flag<["-"], "static-libstdc++">, Link;
def static_libgcc : Flag<["-"], "static-libgcc">, Link;
def static_pie : Flag<["-"], "static-pie">, Link, HelpText<"The same, as a position-independent program">;
def pie : Flag<["-"], "pie">, Link;
def no_pie : Flag<["-"], "no-pie">, Link;
def nopie : Flag<["-"], "nopie">, Alias<no_pie>;
def rdynamic : Flag<["-"], "rdynamic">, Link, HelpText<"Export the executable's symbols">;
def rpath : Separate<["-"], "rpath">, Link, MetaVarName<"<dir>">;
def r : Flag<["-"], "r">, Link, HelpText<"Link into a relocatable object">;
defm r : AlsoFlag<"relocatable-link", r>;
def s : Flag<["-"], "s">, Link, HelpText<"Strip symbols">;
def T : JoinedOrSeparate<["-"], "T">, Link;
def u : JoinedOrSeparate<["-"], "u">, Link;
def z : Separate<["-"], "z">, Link;
def B : JoinedOrSeparate<["-"], "B">, Link;
def nostdlib : Flag<["-"], "nostdlib">, Link;
def nodefaultlibs : Flag<["-"], "nodefaultlibs">, Link;
def nostartfiles : Flag<["-"], "nostartfiles">, Link;
def rt_EQ : Joined<["--"], "rt=">, Link, Values<"static,shared,none">, MetaVarName<"<kind>">,
  HelpText<"tcc's runtime: static (the default), shared, or none">;

//===--- dependency files -----------------------------------------------------------------------------------------===//

def M : Flag<["-"], "M">, Dep, HelpText<"Print a makefile rule with all headers instead of compiling">;
defm M : AlsoFlag<"generate-dependencies", M>;
def MM : Flag<["-"], "MM">, Dep, HelpText<"The same without system headers">;
defm MM : AlsoFlag<"generate-nonsystem-dependencies", MM>;
def MD : Flag<["-"], "MD">, Dep, HelpText<"Write a makefile rule with all headers beside the object">;
defm MD : AlsoFlag<"generate-dependencies-with-compile", MD>;
def MMD : Flag<["-"], "MMD">, Dep, HelpText<"The same without system headers">;
defm MMD : AlsoFlag<"generate-nonsystem-dependencies-with-compile", MMD>;
def MP : Flag<["-"], "MP">, Dep, HelpText<"Add a phony target for each header">;
defm MP : AlsoFlag<"generate-dependency-targets", MP>;
def MF : JoinedOrSeparate<["-"], "MF">, Dep, MetaVarName<"<file>">, HelpText<"Write the rule to <file>">;
defm MF : AlsoValue<"dependency-output", "MF", MF>;
def MT : JoinedOrSeparate<["-"], "MT">, Dep, MetaVarName<"<target>">, HelpText<"The rule's target">;
defm MT : AlsoValue<"dependency-target-name", "MT", MT>;
def MQ : JoinedOrSeparate<["-"], "MQ">, Dep, MetaVarName<"<target>">, HelpText<"The rule's target, quoted for make">;

//===--- inspection -----------------------------------------------------------------------------------------------===//

defm dryrun : NvccFlag<"dryrun", "dryrun", InspectGroup,
  "Print the steps as commands that can be pasted, and run none">;
def hash_hash_hash : Flag<["-"], "###">, Alias<dryrun>, HelpText<"The same">;
defm v : NvccFlag<"verbose", "v", InspectGroup, "Print the steps as they run">;
defm keep : NvccFlag<"keep", "keep", InspectGroup, "Keep intermediate files">;
defm save_temps : NvccFlag<"save-temps", "save-temps", InspectGroup, "The same">;
def save_temps_EQ : Joined<["-", "--"], "save-temps=">, Inspect, MetaVarName<"<obj|cwd>">, Values<"obj,cwd">,
  HelpText<"Keep intermediate files beside the output (obj), or in the working folder (cwd)">;
defm keep_dir : NvccValue<"keep-dir", "keep-dir", InspectGroup, "<dir>", "Keep them in <dir> (implies --keep)">;
defm objtemp : NvccFlag<"objdir-as-tempdir", "objtemp", InspectGroup,
  "Put temporary files beside the object instead of TMPDIR">;
defm time : NvccValue<"time", "time", InspectGroup, "<file>",
  "Append the time of each step to <file>, as comma-separated values; -: print it">;
def ftime_trace : Flag<["-"], "ftime-trace">, Inspect,
  HelpText<"Write a trace of the compilation as JSON, for chrome://tracing, beside the output">;
def ftime_trace_EQ : Joined<["-"], "ftime-trace=">, Inspect, MetaVarName<"<file>">, HelpText<"The same to <file>">;
defm fdevice_time_trace : NvccValue<"fdevice-time-trace", "fdevice-time-trace", InspectGroup, "<file>",
  "The same; -: beside the output">;
def precompile_headers : Flag<["--"], "precompile-headers">, Tool,
  HelpText<"Precompile <tilecc/tt.h> for the usual dialects of C++ into lib/tilecc/language of this installation, and "
           "CUDA's headers, if there is a toolkit, into lib/tilecc/wrapper; repeat it after changes of these headers">;
def clangd : Flag<["--"], "clangd">, Tool,
  HelpText<"Print the contents of a .clangd file, for projects that do not use the CMake package">;
def autocomplete_EQ : Joined<["--"], "autocomplete=">, Flags<[HelpHidden]>, Tool, // called by shells
  HelpText<"Print the options that begin so">;
def man_page : Flag<["--"], "man-page">, Flags<[HelpHidden]>, Tool, HelpText<"Print the manual page">; // at install
defm version : NvccFlag<"version", "V", InspectGroup, "Print the versions of tcc, Clang and the CUDA toolkit">;
defm help : NvccFlag<"help", "h", InspectGroup, "Print this">;
defm list_gpu_arch : NvccFlag<"list-gpu-arch", "arch-ls", InspectGroup,
  "Print the architectures for which tcc generates PTX">;
defm list_gpu_code : NvccFlag<"list-gpu-code", "code-ls", InspectGroup,
  "Print the architectures for which tcc generates code">;

//===--- tools ----------------------------------------------------------------------------------------------------===//

def t : JoinedOrSeparate<["-"], "t">, Tool, MetaVarName<"<n>">,
  HelpText<"Compile for several targets in parallel on <n> threads; 1: start none; 0: all cores (the default)">;
defm t : AlsoValue<"threads", "t", t>;
defm jobserver : NvccFlag<"jobserver", "jobserver", ToolGroup,
  "Take a token of make's jobserver for each thread but the first; this is the default">;
defm optf : NvccValue<"options-file", "optf", ToolGroup, "<file>", "Read options from <file>, as @<file>">;
defm forward_unknown_to_host_compiler : NvccFlag<"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler",
  ToolGroup, "Pass options that neither tcc nor Clang knows to the host compiler">;
defm forward_unknown_to_host_linker : NvccFlag<"forward-unknown-to-host-linker", "forward-unknown-to-host-linker",
  ToolGroup, "Pass them to the linker">;
defm forward_unknown_opts : NvccFlag<"forward-unknown-opts", "forward-unknown-opts", ToolGroup, "Pass them to both">;

include "NvccOptions.td"
