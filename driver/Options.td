//===- Options.td - every option of tcc, once ----------------------------------------------------------*- tablegen -*-//
//
// nvcc's options with nvcc's meaning, and Clang's spelling where both exist. --help, parsing and the spelling hints all
// come from this table. An option in HostGroup goes to the host compiler as it was written.
//
//===----------------------------------------------------------------------------------------------------------------===//

include "llvm/Option/OptParser.td"

def OutputGroup : OptionGroup<"output">, HelpText<"WHAT TO PRODUCE">;
def GpuGroup : OptionGroup<"gpu">, HelpText<"GPU CODE">;
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

//===--- what to produce --------------------------------------------------------------------------------------------===//

def o : JoinedOrSeparate<["-"], "o">, Out, MetaVarName<"<file>">, HelpText<"Write the output to <file>; - is standard output">;
def output_file : Joined<["--"], "output-file=">, Alias<o>;
def c : Flag<["-"], "c">, Out, HelpText<"Compile to an object file, do not link">;
def compile : Flag<["--"], "compile">, Alias<c>;
def dc : Flag<["-", "--"], "dc">, Out, HelpText<"The same as -c -rdc=true">;
def device_c : Flag<["--"], "device-c">, Alias<dc>;
def dlink : Flag<["-", "--"], "dlink">, Out,
  HelpText<"Link the relocatable device code of objects and libraries into an object, for a host link by another program">;
def device_link : Flag<["--"], "device-link">, Alias<dlink>;
def registration_list_EQ : Joined<["--"], "registration-list=">, Flags<[HelpHidden]>, Out, // as printed steps have it
  HelpText<"The last step of a device link">;
def E : Flag<["-"], "E">, Out, HelpText<"Preprocess only">;
def fsyntax_only : Flag<["-"], "fsyntax-only">, Out, HelpText<"Check sources, kernels included, and write nothing">;
def S : Flag<["-"], "S">, Out, HelpText<"Compile the host code to assembly (the same as --emit=host-asm)">;
def ptx : Flag<["-", "--"], "ptx">, Out, HelpText<"Compile the kernels to PTX">;
def cubin : Flag<["-", "--"], "cubin">, Out, HelpText<"Compile the kernels to a cubin, for one -arch">;
def fatbin : Flag<["-", "--"], "fatbin">, Out, HelpText<"Compile the kernels to a fatbinary">;
def emit_EQ : Joined<["--"], "emit=">, Out, MetaVarName<"<stage>">,
  Values<"ttir,ttgir,llvm,ptx,cubin,sass,fatbin,cpu-llvm,cpu-asm,host-llvm,host-asm,obj">,
  HelpText<"Stop at a stage: ttir, ttgir, llvm, ptx, cubin, sass, fatbin, cpu-llvm, cpu-asm, host-llvm, host-asm or obj; "
           "text goes to standard output unless -o is given">;
def kernel_EQ : Joined<["--"], "kernel=">, Out, MetaVarName<"<name>">,
  HelpText<"With --emit, -ptx, -cubin: only the kernel of this name (as written, add<1024>, or mangled)">;
def variant_EQ : Joined<["--"], "variant=">, Out, MetaVarName<"<v>">, Values<"a16,p16,generic,all">,
  HelpText<"With --emit, -ptx, -cubin: a16 (pointers and integers divisible by 16, the default), p16 (pointers only), "
           "generic, or all. Of a source with SIMT code these show that, unless --variant or --kernel asks for tile kernels">;
def shared : Flag<["-", "--"], "shared">, Out, HelpText<"Link a shared library">;

//===--- GPU code ---------------------------------------------------------------------------------------------------===//

def arch_EQ : Joined<["-", "--"], "arch=">, Gpu, MetaVarName<"<arch>">,
  HelpText<"sm_XX (its code and its PTX), compute_XX (PTX only), native, all or all-major; default: code for sm_80 and "
           "sm_90, and PTX for compute_90">;
def arch : Separate<["-", "--"], "arch">, Alias<arch_EQ>;
def gpu_architecture_EQ : Joined<["--"], "gpu-architecture=">, Alias<arch_EQ>;
def gencode : Separate<["-", "--"], "gencode">, Gpu, MetaVarName<"arch=compute_XX,code=[sm_XX,compute_XX]">,
  HelpText<"Add code or PTX for one target; may be repeated">;
def gencode_EQ : Joined<["-", "--"], "gencode=">, Alias<gencode>;
def generate_code_EQ : Joined<["--"], "generate-code=">, Alias<gencode>;
def lineinfo : Flag<["-", "--"], "lineinfo">, Gpu, HelpText<"Keep line information in cubins, for profilers">;
def generate_line_info : Flag<["--"], "generate-line-info">, Alias<lineinfo>;
def maxrregcount_EQ : Joined<["-", "--"], "maxrregcount=">, Gpu, MetaVarName<"<n>">,
  HelpText<"At most <n> registers a thread">;
def maxrregcount : Separate<["-", "--"], "maxrregcount">, Alias<maxrregcount_EQ>;
def fmad_EQ : Joined<["-", "--"], "fmad=">, Gpu, Values<"true,false">, MetaVarName<"<true|false>">,
  HelpText<"Contract products and sums of kernels to fused multiply-adds; default: true">;
def fmad : Separate<["-", "--"], "fmad">, Alias<fmad_EQ>;
def ftz_EQ : Joined<["-", "--"], "ftz=">, Gpu, Values<"true,false">, MetaVarName<"<true|false>">,
  HelpText<"Take subnormal floats for zero on GPUs; default: false">;
def ftz : Separate<["-", "--"], "ftz">, Alias<ftz_EQ>;
def prec_div_EQ : Joined<["-", "--"], "prec-div=">, Gpu, Values<"true,false">, MetaVarName<"<true|false>">,
  HelpText<"Divide floats exactly on GPUs; default: false, as Triton's (nvcc's is true)">;
def prec_div : Separate<["-", "--"], "prec-div">, Alias<prec_div_EQ>;
def prec_sqrt_EQ : Joined<["-", "--"], "prec-sqrt=">, Gpu, Values<"true,false">, MetaVarName<"<true|false>">,
  HelpText<"Take exact square roots of floats on GPUs; default: false, as Triton's (nvcc's is true)">;
def prec_sqrt : Separate<["-", "--"], "prec-sqrt">, Alias<prec_sqrt_EQ>;
def use_fast_math : Flag<["-", "--"], "use_fast_math">, Gpu,
  HelpText<"Use the approximate functions of float that GPUs have; implies -ftz=true -prec-div=false -prec-sqrt=false "
           "-fmad=true">;
def num_warps_EQ : Joined<["-", "--"], "num-warps=">, Gpu, MetaVarName<"<n>">,
  HelpText<"Warps of a program, for kernels that do not say it with [[tt::num_warps(n)]]; default: what fits their tiles, and "
           "4 for an input of TTIR">;
def num_stages_EQ : Joined<["-", "--"], "num-stages=">, Gpu, MetaVarName<"<n>">,
  HelpText<"Stages of pipelined loops, for kernels that do not say it with [[tt::num_stages(n)]]; default: 3">;
def num_ctas_EQ : Joined<["--"], "num-ctas=">, Gpu, MetaVarName<"<n>">,
  HelpText<"Thread blocks that run a program together, for an input of TTIR; a source says it with [[tt::num_ctas(n)]]; "
           "default: 1">;
def tensor_maps_EQ : Joined<["--"], "tensor-maps=">, Gpu, Values<"true,false">, MetaVarName<"<true|false>">,
  HelpText<"Let kernels take tensor maps behind their parameters, which the runtime makes at a launch; default: true in "
           "objects, false where only code for GPUs is written">;
def resource_usage : Flag<["-", "--"], "resource-usage">, Gpu, HelpText<"Print the registers and memory each kernel uses">;
def Xptxas : Separate<["-"], "Xptxas">, Gpu, MetaVarName<"<options>">, HelpText<"Pass comma-separated options to ptxas">;
def Xptxas_EQ : Joined<["-"], "Xptxas=">, Alias<Xptxas>;
def ptxas_options_EQ : Joined<["--"], "ptxas-options=">, Alias<Xptxas>;
def ptxas_options : Separate<["--"], "ptxas-options">, Alias<Xptxas>;
def Xnvlink : Separate<["-"], "Xnvlink">, Gpu, MetaVarName<"<options>">,
  HelpText<"Pass comma-separated options to nvlink, which links relocatable device code">;
def Xnvlink_EQ : Joined<["-"], "Xnvlink=">, Alias<Xnvlink>;
def compress_mode_EQ : Joined<["-", "--"], "compress-mode=">, Gpu, MetaVarName<"<mode>">,
  Values<"default,size,speed,balance,none">,
  HelpText<"Compress the fatbinary, as nvcc does; default here: none, so that the PTX in a program can be read">;
def compress_mode : Separate<["-", "--"], "compress-mode">, Alias<compress_mode_EQ>;
def cuda_path_EQ : Joined<["--"], "cuda-path=">, Gpu, MetaVarName<"<dir>">,
  HelpText<"The CUDA toolkit; default: TILECC_CUDA_PATH, CUDA_PATH, the one nvcc on PATH belongs to, /usr/local/cuda; "
           "'none' uses none: kernels are then embedded as PTX">;
def include_fatbin_EQ : Joined<["--"], "include-fatbin=">, Gpu, MetaVarName<"<file>">,
  HelpText<"Embed this fatbinary, made by --fatbin from the same source with the same options, instead of making one">;
def cpu_level_EQ : Joined<["--"], "cpu-level=">, Gpu, MetaVarName<"<2|3|4>">, Values<"2,3,4">,
  HelpText<"Compile kernels for this x86-64 level only; default: for 2, 3 and 4, of which a program takes what the machine has">;
def reproduce_pass_EQ : Joined<["--"], "reproduce-pass=">, Flags<[HelpHidden]>, // as the report of a crash calls tcc
  HelpText<"Print MLIR's reproducer of the pass of this number and end">;
def include_simt_fatbin_EQ : Joined<["--"], "include-simt-fatbin=">, Flags<[HelpHidden]>, Gpu, // as printed steps have it
  HelpText<"The same for the SIMT kernels of the source">;
def simt : Flag<["--"], "simt">, Gpu,
  HelpText<"Accept SIMT code (__device__, threadIdx, <<<grid, block>>>) in every source, as in a .cu; needs a CUDA toolkit">;
def cudart_EQ : Joined<["-", "--"], "cudart=">, Gpu, Values<"static,shared,none">, MetaVarName<"<kind>">,
  HelpText<"CUDA's runtime, which SIMT kernels are launched by: static (the default), shared, or none">;
def cudart : Separate<["-", "--"], "cudart">, Alias<cudart_EQ>;
def default_stream_EQ : Joined<["-", "--"], "default-stream=">, Gpu, Values<"legacy,null,per-thread">, MetaVarName<"<kind>">,
  HelpText<"The stream of SIMT launches that name none: legacy (the default), null (the same), or per-thread">;
def default_stream : Separate<["-", "--"], "default-stream">, Alias<default_stream_EQ>;
def G : Flag<["-", "--"], "G">, Gpu, HelpText<"Debug information for SIMT code, which is then not optimized">;
def device_debug : Flag<["--"], "device-debug">, Alias<G>;
def rdc_EQ : Joined<["-", "--"], "rdc=">, Gpu, Values<"true,false">, MetaVarName<"<true|false>">,
  HelpText<"Relocatable device code: SIMT code may use functions and variables of other objects, and launch kernels; "
           "default: false">;
def rdc : Separate<["-", "--"], "rdc">, Alias<rdc_EQ>;
def relocatable_device_code_EQ : Joined<["--"], "relocatable-device-code=">, Alias<rdc_EQ>;

//===--- host compilation -------------------------------------------------------------------------------------------===//

def I : JoinedOrSeparate<["-"], "I">, Host, MetaVarName<"<dir>">, HelpText<"Search <dir> for headers">;
def isystem : JoinedOrSeparate<["-"], "isystem">, Host, MetaVarName<"<dir>">, HelpText<"Search <dir> for system headers">;
def isystem_EQ : Joined<["-", "--"], "isystem=">, Alias<isystem>;
def iquote : JoinedOrSeparate<["-"], "iquote">, Host, MetaVarName<"<dir>">, HelpText<"Search <dir> for quoted headers">;
def idirafter : JoinedOrSeparate<["-"], "idirafter">, Host, MetaVarName<"<dir>">;
def isysroot : JoinedOrSeparate<["-"], "isysroot">, Host, MetaVarName<"<dir>">;
def include_ : JoinedOrSeparate<["-"], "include">, Host, MetaVarName<"<file>">, HelpText<"Include <file> first">;
def imacros : JoinedOrSeparate<["-"], "imacros">, Host, MetaVarName<"<file>">;
def H : Flag<["-"], "H">, Host, HelpText<"Print the headers that are parsed">;
def D : JoinedOrSeparate<["-"], "D">, Host, MetaVarName<"<macro>[=<value>]">, HelpText<"Define a macro">;
def U : JoinedOrSeparate<["-"], "U">, Host, MetaVarName<"<macro>">, HelpText<"Undefine a macro">;
def std_EQ : Joined<["-", "--"], "std=">, Host, MetaVarName<"<standard>">, HelpText<"C++ standard, default gnu++20">;
def std : Separate<["-", "--"], "std">, Alias<std_EQ>;
def O : Joined<["-"], "O">, Host, MetaVarName<"<0|1|2|3|s|z|g>">, HelpText<"Optimise the host code; kernels always are">;
def O_flag : Flag<["-"], "O">, Host;
def g_Group : Joined<["-"], "g">, Host, HelpText<"Debug information for the host code, lines for kernels">;
def W : Joined<["-"], "W">, Host, MetaVarName<"<warning>">, HelpText<"Enable a warning; -Wno-<warning> disables it">;
def Wtile : Joined<["-"], "Wtile-">, Gpu, MetaVarName<"<name>">,
  HelpText<"Enable a warning about kernels: spill, ptxas, cpu, loop, view, uninitialized, size (all are on); "
           "-Wno-tile-<name> disables it; -Wtile-spill=all looks at every variant of a kernel, not only at the one that a "
           "launch takes first">;
def Rtile_EQ : Joined<["-"], "Rtile=">, Gpu, Values<"warps">, MetaVarName<"<what>">,
  HelpText<"Tell what was decided about kernels: warps, how many run a program and why">;
def enable_tile : Flag<["-", "--"], "enable-tile">, Gpu, HelpText<"Does nothing: tcc compiles tile kernels without it">;
def tile_only : Flag<["-", "--"], "tile-only">, Gpu, HelpText<"Does nothing in a source that has only tile kernels">;
def Wno_tile : Joined<["-"], "Wno-tile-">, Gpu;
def Werror_tile : Joined<["-"], "Werror=tile-">, Gpu;
def Wno_error_tile : Joined<["-"], "Wno-error=tile-">, Gpu;
def w : Flag<["-"], "w">, Host, HelpText<"No warnings">;
def Wa : CommaJoined<["-"], "Wa,">, Host, MetaVarName<"<option>">;
def Wp : CommaJoined<["-"], "Wp,">, Host, MetaVarName<"<option>">;
def pedantic : Flag<["-", "--"], "pedantic">, Host;
def pedantic_errors : Flag<["-", "--"], "pedantic-errors">, Host;
def f_Group : Joined<["-"], "f">, Host, MetaVarName<"<feature>">, HelpText<"Clang's -f options, for the host code">;
def m_Group : Joined<["-"], "m">, Host, MetaVarName<"<feature>">, HelpText<"Clang's -m options, for the host code">;
def pthread : Flag<["-"], "pthread">, Host, HelpText<"Compile and link with threads">;
def pipe : Flag<["-"], "pipe">, Host;
def p_flag : Flag<["-"], "p">, Host;
def pg : Flag<["-"], "pg">, Host;
def ansi : Flag<["-", "--"], "ansi">, Host;
def nostdinc : Flag<["-"], "nostdinc">, Host;
def nostdincxx : Flag<["-"], "nostdinc++">, Host;
def stdlib_EQ : Joined<["-", "--"], "stdlib=">, Host;
def sysroot_EQ : Joined<["--"], "sysroot=">, Host;
def sysroot : Separate<["--"], "sysroot">, Host;
def target_EQ : Joined<["--"], "target=">, Host;
def gcc_toolchain_EQ : Joined<["--"], "gcc-toolchain=">, Host;
def Xclang : Separate<["-"], "Xclang">, Host, MetaVarName<"<option>">;
def mllvm : Separate<["-"], "mllvm">, Host, MetaVarName<"<option>">;
def Xpreprocessor : Separate<["-"], "Xpreprocessor">, Host;
def x : JoinedOrSeparate<["-"], "x">, Host, MetaVarName<"<language>">,
  HelpText<"Treat the inputs that follow as tile (a .tt.cpp), cu, c++, c, ... or none">;
def Xcompiler : Separate<["-"], "Xcompiler">, Host, MetaVarName<"<options>">,
  HelpText<"Pass comma-separated options to the host compiler">;
def Xcompiler_EQ : Joined<["-"], "Xcompiler=">, Alias<Xcompiler>;
def compiler_options_EQ : Joined<["--"], "compiler-options=">, Alias<Xcompiler>;
def compiler_options : Separate<["--"], "compiler-options">, Alias<Xcompiler>;

//===--- linking ----------------------------------------------------------------------------------------------------===//

def L : JoinedOrSeparate<["-"], "L">, Link, MetaVarName<"<dir>">, HelpText<"Search <dir> for libraries">;
def l : JoinedOrSeparate<["-"], "l">, Link, MetaVarName<"<library>">, HelpText<"Link a library">;
def Wl : CommaJoined<["-"], "Wl,">, Link, MetaVarName<"<options>">, HelpText<"Pass comma-separated options to the linker">;
def Xlinker : Separate<["-"], "Xlinker">, Link, MetaVarName<"<options>">,
  HelpText<"Pass comma-separated options to the linker">;
def Xlinker_EQ : Joined<["-"], "Xlinker=">, Alias<Xlinker>;
def linker_options_EQ : Joined<["--"], "linker-options=">, Alias<Xlinker>;
def linker_options : Separate<["--"], "linker-options">, Alias<Xlinker>;
def static_ : Flag<["-"], "static">, Link, HelpText<"Link without shared libraries (no GPU can be opened then)">;
def static_libstdcxx : Flag<["-"], "static-libstdc++">, Link;
def static_libgcc : Flag<["-"], "static-libgcc">, Link;
def pie : Flag<["-"], "pie">, Link;
def no_pie : Flag<["-"], "no-pie">, Link;
def nopie : Flag<["-"], "nopie">, Alias<no_pie>;
def rdynamic : Flag<["-"], "rdynamic">, Link, HelpText<"Export the executable's symbols">;
def rpath : Separate<["-"], "rpath">, Link, MetaVarName<"<dir>">;
def r : Flag<["-"], "r">, Link;
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

//===--- dependency files -------------------------------------------------------------------------------------------===//

def M : Flag<["-"], "M">, Dep, HelpText<"Print a makefile rule of all headers instead of compiling">;
def MM : Flag<["-"], "MM">, Dep, HelpText<"The same without system headers">;
def MD : Flag<["-"], "MD">, Dep, HelpText<"Write a makefile rule of all headers beside the object">;
def MMD : Flag<["-"], "MMD">, Dep, HelpText<"The same without system headers">;
def MP : Flag<["-"], "MP">, Dep, HelpText<"Add a phony target for each header">;
def MF : JoinedOrSeparate<["-"], "MF">, Dep, MetaVarName<"<file>">, HelpText<"Write the rule to <file>">;
def MT : JoinedOrSeparate<["-"], "MT">, Dep, MetaVarName<"<target>">, HelpText<"The rule's target">;
def MQ : JoinedOrSeparate<["-"], "MQ">, Dep, MetaVarName<"<target>">, HelpText<"The rule's target, quoted for make">;

//===--- looking inside ---------------------------------------------------------------------------------------------===//

def dryrun : Flag<["-", "--"], "dryrun">, Inspect, HelpText<"Print the steps as commands that can be pasted, run none">;
def hash_hash_hash : Flag<["-"], "###">, Alias<dryrun>, HelpText<"The same">;
def v : Flag<["-", "--"], "v">, Inspect, HelpText<"Print the steps as they run">;
def verbose : Flag<["--"], "verbose">, Alias<v>;
def keep : Flag<["-", "--"], "keep">, Inspect, HelpText<"Keep intermediate files">;
def save_temps : Flag<["-", "--"], "save-temps">, Alias<keep>;
def keep_dir_EQ : Joined<["-", "--"], "keep-dir=">, Inspect, MetaVarName<"<dir>">, HelpText<"Keep them in <dir> (implies --keep)">;
def keep_dir : Separate<["-", "--"], "keep-dir">, Alias<keep_dir_EQ>;
def time : Flag<["-", "--"], "time">, Inspect, HelpText<"Print how long each step took">;
def precompile_headers : Flag<["--"], "precompile-headers">, Tool,
  HelpText<"Parse <tilecc/tt.h> beforehand for the usual dialects of C++, into lib/tilecc/language of this installation; "
           "installing does it, moving an installation asks for it again">;
def version : Flag<["-", "--"], "version">, Inspect, HelpText<"Print the versions of tcc, LLVM and the CUDA toolkit">;
def help : Flag<["-", "--"], "help">, Inspect, HelpText<"Print this">;
def h : Flag<["-"], "h">, Alias<help>;
def print_prog_name_EQ : Joined<["-", "--"], "print-prog-name=">, Host;
def print_file_name_EQ : Joined<["-", "--"], "print-file-name=">, Host;
def dumpmachine : Flag<["-"], "dumpmachine">, Host;
def dumpversion : Flag<["-"], "dumpversion">, Host;
def print_search_dirs : Flag<["-", "--"], "print-search-dirs">, Host;
def print_resource_dir : Flag<["-", "--"], "print-resource-dir">, Host;

//===--- tools ------------------------------------------------------------------------------------------------------===//

def t : JoinedOrSeparate<["-"], "t">, Tool, MetaVarName<"<n>">, HelpText<"Compile for several targets at a time on <n> threads; 1: start none; 0: all cores (the default)">;
def threads_EQ : Joined<["--"], "threads=">, Alias<t>;
def threads : Separate<["--"], "threads">, Alias<t>;
// nvcc's: what they ask for is so in Clang, or concerns a host compiler of its own.
def forward_unknown_to_host_compiler : Flag<["-", "--"], "forward-unknown-to-host-compiler">, Tool,
  HelpText<"Pass options that tcc does not know to the host compiler">;
def extended_lambda : Flag<["-", "--"], "extended-lambda">, Tool;
def expt_extended_lambda : Flag<["-", "--"], "expt-extended-lambda">, Tool;
def expt_relaxed_constexpr : Flag<["-", "--"], "expt-relaxed-constexpr">, Tool;
def allow_unsupported_compiler : Flag<["-", "--"], "allow-unsupported-compiler">, Tool;
def Wno_deprecated_gpu_targets : Flag<["-", "--"], "Wno-deprecated-gpu-targets">, Tool;
def Xcudafe : Separate<["-"], "Xcudafe">, Tool; // nvcc's front end is not there
def Xcudafe_EQ : Joined<["-"], "Xcudafe=">, Tool;
def diag_suppress : Separate<["-", "--"], "diag-suppress">, Tool;
def diag_suppress_EQ : Joined<["-", "--"], "diag-suppress=">, Tool;
def dlto : Flag<["-", "--"], "dlto">, Tool;
def ccbin : Separate<["-"], "ccbin">, Tool, HelpText<"Ignored: the host compiler is part of tcc">;
def ccbin_EQ : Joined<["-"], "ccbin=">, Tool;
