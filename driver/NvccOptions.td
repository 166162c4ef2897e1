//===- NvccOptions.td - options of nvcc that do nothing here ------------------------------------------*- tablegen -*-//
//
// Part of Options.td: nvcc options that tcc does not need. The driver prints the help text as the reason ("-jtd=3 is
// ignored: ...").
//
//===--------------------------------------------------------------------------------------------------------------===//

// Ignored without a warning: tcc always behaves as requested, or the option makes no difference.
def QuietGroup : OptionGroup<"quiet">;
let Flags = [HelpHidden] in {
defm nvcc_allow_unsupported_compiler : NvccFlag<"allow-unsupported-compiler", "allow-unsupported-compiler",
  QuietGroup,
  "the host compiler is part of tcc">;
defm nvcc_dont_use_profile : NvccFlag<"dont-use-profile", "noprof", QuietGroup, "tcc reads no nvcc.profile">;
defm nvcc_no_align_double : NvccFlag<"no-align-double", "no-align-double", QuietGroup, "it is for 32-bit hosts">;
defm nvcc_expt_relaxed_constexpr : NvccFlag<"expt-relaxed-constexpr", "expt-relaxed-constexpr", QuietGroup,
  "constexpr functions serve host and device in Clang">;
defm nvcc_extended_lambda : NvccFlag<"extended-lambda", "extended-lambda", QuietGroup,
  "lambdas have device and host functions in Clang">;
defm nvcc_expt_extended_lambda : NvccFlag<"expt-extended-lambda", "expt-extended-lambda", QuietGroup,
  "lambdas have device and host functions in Clang">;
defm nvcc_Wno_deprecated_gpu_targets : NvccFlag<"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets",
  QuietGroup,
  "there is no such warning">;
defm nvcc_split_compile : NvccValue<"split-compile", "split-compile", QuietGroup, "<value>",
  "-t sets the number of threads">;
defm nvcc_split_compile_extended : NvccValue<"split-compile-extended", "split-compile-extended",
  QuietGroup, "<value>",
  "-t sets the number of threads">;
defm nvcc_display_error_number : NvccFlag<"display-error-number", "err-no", QuietGroup,
  "Clang's messages have names">;
defm nvcc_no_display_error_number : NvccFlag<"no-display-error-number", "no-err-no", QuietGroup,
  "Clang's messages have names">;
defm nvcc_diag_suppress : NvccValue<"diag-suppress", "diag-suppress", QuietGroup, "<value>",
  "the numbers are those of nvcc's front end, whose messages tcc does not have">;
defm nvcc_brief_diagnostics : NvccValue<"brief-diagnostics", "brief-diag", QuietGroup, "<value>",
  "-fno-caret-diagnostics leaves the lines of the source out">;
defm nvcc_use_local_env : NvccFlag<"use-local-env", "use-local-env", QuietGroup, "it is for Windows">;
defm nvcc_force_cl_env_setup : NvccFlag<"force-cl-env-setup", "force-cl-env-setup", QuietGroup, "it is for Windows">;
defm nvcc_input_drive_prefix : NvccValue<"input-drive-prefix", "idp", QuietGroup, "<value>", "it is for Windows">;
defm nvcc_dependency_drive_prefix : NvccValue<"dependency-drive-prefix", "ddp", QuietGroup, "<value>",
  "it is for Windows">;
defm nvcc_drive_prefix : NvccValue<"drive-prefix", "dp", QuietGroup, "<value>", "it is for Windows">;
}

// Ignored with a warning: results are correct, but the option does not have the effect that it has in nvcc.
def IgnoredGroup : OptionGroup<"ignored">;
let Flags = [HelpHidden] in {
defm nvcc_diag_error : NvccValue<"diag-error", "diag-error", IgnoredGroup, "<value>",
  "the numbers are those of nvcc's front end; write -Werror=<name> with the name that a message ends with">;
defm nvcc_diag_warn : NvccValue<"diag-warn", "diag-warn", IgnoredGroup, "<value>",
  "the numbers are those of nvcc's front end; write -W<name> with the name that a message ends with">;
defm nvcc_target_directory : NvccValue<"target-directory", "target-dir", IgnoredGroup, "<value>",
  "tcc compiles for the machine it runs on; --cuda-path names the toolkit">;
defm nvcc_optimization_info : NvccValue<"optimization-info", "opt-info", IgnoredGroup, "<value>",
  "tcc has no such reports; -Rtile=warps reports the decisions about tile kernels">;
defm nvcc_Ofast_compile : NvccValue<"Ofast-compile", "Ofc", IgnoredGroup, "<value>", "kernels are always optimized">;
defm nvcc_no_host_device_initializer_list : NvccFlag<"no-host-device-initializer-list", "nohdinitlist", IgnoredGroup,
  "std::initializer_list is constexpr, which serves host and device in Clang">;
defm nvcc_no_host_device_move_forward : NvccFlag<"no-host-device-move-forward", "nohdmoveforward", IgnoredGroup,
  "std::move is constexpr, which serves host and device in Clang">;
defm nvcc_static_global_template_stub : NvccValue<"static-global-template-stub", "static-global-template-stub",
  IgnoredGroup, "<value>",
  "stubs of kernel templates have Clang's linkage">;
defm nvcc_device_entity_has_hidden_visibility : NvccValue<"device-entity-has-hidden-visibility", "device-entity-has-hidden-visibility",
  IgnoredGroup, "<value>",
  "kernels and device variables have Clang's visibility; -fvisibility=hidden hides them">;
defm nvcc_extra_device_vectorization : NvccFlag<"extra-device-vectorization", "extra-device-vectorization",
  IgnoredGroup,
  "kernels are vectorized as far as tcc can">;
defm nvcc_keep_device_functions : NvccFlag<"keep-device-functions", "keep-device-functions", IgnoredGroup,
  "device functions that nothing uses are left out">;
defm nvcc_restrict : NvccFlag<"restrict", "restrict", IgnoredGroup,
  "pointers of kernels may overlap unless the source says __restrict__">;
defm nvcc_Wdefault_stream_launch : NvccFlag<"Wdefault-stream-launch", "Wdefault-stream-launch", IgnoredGroup,
  "there is no such warning">;
defm nvcc_Wmissing_launch_bounds : NvccFlag<"Wmissing-launch-bounds", "Wmissing-launch-bounds", IgnoredGroup,
  "there is no such warning">;
defm nvcc_Wext_lambda_captures_this : NvccFlag<"Wext-lambda-captures-this", "Wext-lambda-captures-this", IgnoredGroup,
  "there is no such warning">;
defm nvcc_qpp_config : NvccValue<"qpp-config", "qpp-config", IgnoredGroup, "<value>", "it is for QNX">;
defm nvcc_jump_table_density : NvccValue<"jump-table-density", "jtd", IgnoredGroup, "<value>",
  "LLVM decides where jump tables pay">;
defm nvcc_device_stack_protector : NvccValue<"device-stack-protector", "device-stack-protector",
  IgnoredGroup, "<value>",
  "device code has no stack canaries">;
defm nvcc_cicc_options : NvccValue<"cicc-options", "Xcicc", IgnoredGroup, "<options>",
  "Clang compiles device code; tcc does not use cicc">;
defm nvcc_gen_opt_lto : NvccFlag<"gen-opt-lto", "gen-opt-lto", IgnoredGroup,
  "there is no link-time optimization of device code">;
}

// Rejected: the results would differ from what was requested.
def RefusedGroup : OptionGroup<"refused">;
let Flags = [HelpHidden] in {
defm nvcc_cuda : NvccFlag<"cuda", "cuda", RefusedGroup,
  "host code and kernels come from one parse, with no C++ output in between; use -E to preprocess">;
defm nvcc_optix_ir : NvccFlag<"optix-ir", "optix-ir", RefusedGroup, "tcc makes no OptiX IR">;
defm nvcc_ltoir : NvccFlag<"ltoir", "ltoir", RefusedGroup,
  "tcc makes no IR for link-time optimization of device code">;
defm nvcc_lto : NvccFlag<"lto", "lto", RefusedGroup,
  "optimizing across objects when device code is linked is not available; -flto is for host code">;
defm nvcc_extensible_whole_program : NvccFlag<"extensible-whole-program", "ewp", RefusedGroup,
  "tcc compiles whole programs, or relocatable device code with -rdc=true">;
defm nvcc_entries : NvccValue<"entries", "e", RefusedGroup, "<value>",
  "an object has all kernels of its source; with -ptx or -cubin, --kernel=<name> picks one. The linker's entry is -Wl,-e">;
defm nvcc_clean_targets : NvccFlag<"clean-targets", "clean", RefusedGroup, "tcc removes no outputs">;
defm nvcc_compile_as_tools_patch : NvccFlag<"compile-as-tools-patch", "astoolspatch", RefusedGroup,
  "tcc makes no patches for tools">;
defm nvcc_host_linker_script : NvccValue<"host-linker-script", "hls", RefusedGroup, "<value>",
  "tcc has no linker scripts of nvcc's; -mcmodel=medium is for large objects">;
defm nvcc_augment_host_linker_script : NvccFlag<"augment-host-linker-script", "aug-hls", RefusedGroup,
  "tcc has no linker scripts of nvcc's">;
defm nvcc_relocatable_ptx : NvccFlag<"relocatable-ptx", "reloc-ptx", RefusedGroup,
  "a device link takes code, not PTX; name the architectures when compiling">;
defm nvcc_sanitize : NvccValue<"sanitize", "sanitize", RefusedGroup, "<value>",
  "tcc does not instrument device code; TILECC_DEVICE=emu runs it with checks, compute-sanitizer on a GPU">;
defm nvcc_fdevice_sanitize : NvccValue<"fdevice-sanitize", "fdevice-sanitize", RefusedGroup, "<value>",
  "tcc does not instrument device code; TILECC_DEVICE=emu runs it with checks, compute-sanitizer on a GPU">;
defm nvcc_simt_only : NvccFlag<"simt-only", "simt-only", RefusedGroup,
  "a source's tile kernels are part of its object">;
defm nvcc_tilebc : NvccFlag<"tilebc", "tilebc", RefusedGroup, "tcc goes through TTIR; --emit=ttir prints it">;
defm nvcc_tileiras_options : NvccValue<"tileiras-options", "Xtileiras", RefusedGroup, "<value>",
  "tcc goes through PTX; -Xptxas reaches ptxas">;
}

// Options of Clang's CUDA mode and of nvcc's front end.
def cuda_host_only : Flag<["--"], "cuda-host-only">, Group<RefusedGroup>, Flags<[HelpHidden]>,
  HelpText<"an object has its kernels; a host compiler takes host code alone">;
def cuda_device_only : Flag<["--"], "cuda-device-only">, Group<RefusedGroup>, Flags<[HelpHidden]>,
  HelpText<"-ptx, -cubin and -fatbin make device code alone">;
def Xarch_device : Separate<["-"], "Xarch_device">, Group<RefusedGroup>, Flags<[HelpHidden]>,
  HelpText<"host code and tile kernels come from one parse; -Xptxas reaches ptxas">;
def Xcudafe : Separate<["-"], "Xcudafe">, Group<QuietGroup>, Flags<[HelpHidden]>, HelpText<"Clang is the front end">;
def Xcudafe_EQ : Joined<["-"], "Xcudafe=">, Alias<Xcudafe>;
