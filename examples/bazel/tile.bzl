"""tile_library: sources with tile kernels (.tt.cpp) or CUDA code (.cu), for cc_binary and cc_library to depend on.

The attributes have the names that they have in cc_library and in rules_cuda's cuda_library. tcc compiles the sources,
and the C++ toolchain links. MODULE.bazel (Bazel 7 and later) or WORKSPACE says where tcc is, as @tilecc.
"""

def _tile_library(ctx):
    deps = [dep[CcInfo] for dep in ctx.attr.deps + [ctx.attr._runtime]]
    package = [part for part in [ctx.label.workspace_root, ctx.label.package] if part]
    own = CcInfo(compilation_context = cc_common.create_compilation_context(
        headers = depset(ctx.files.hdrs),
        includes = depset(["/".join(package + [folder]) for folder in ctx.attr.includes]),
        defines = depset(ctx.attr.defines),
    ))
    context = cc_common.merge_cc_infos(cc_infos = [own] + deps).compilation_context
    objects = []
    for source in ctx.files.srcs:
        object = ctx.actions.declare_file("%s/%s.o" % (ctx.label.name, source.basename))
        arguments = ctx.actions.args()
        arguments.add_all(["-c", source.path, "-o", object.path, "-fPIC", "-iquote", "."])
        arguments.add_all(context.quote_includes, before_each = "-iquote")
        arguments.add_all(context.includes, before_each = "-I")
        arguments.add_all(context.system_includes, before_each = "-isystem")
        arguments.add_all(context.defines, before_each = "-D")
        arguments.add_all(ctx.attr.local_defines, before_each = "-D")
        arguments.add_all(ctx.attr.ptxasopts, before_each = "-Xptxas")
        arguments.add_all(ctx.attr.copts)
        ctx.actions.run(
            executable = ctx.executable._compiler,
            arguments = [arguments],
            inputs = depset([source] + ctx.files.hdrs, transitive = [context.headers]),
            tools = ctx.files._compiler_files,
            outputs = [object],
            mnemonic = "TileCompile",
            progress_message = "Compiling %s" % source.path,
            use_default_shell_env = True,  # PATH, to find a CUDA toolkit
        )
        objects.append(object)
    linked = CcInfo(linking_context = cc_common.create_linking_context(linker_inputs = depset([cc_common.create_linker_input(
        owner = ctx.label,
        additional_inputs = depset(objects),
        user_link_flags = depset([object.path for object in objects] + ctx.attr.linkopts, order = "preorder"),
    )])))
    return [
        DefaultInfo(files = depset(objects)),
        cc_common.merge_cc_infos(direct_cc_infos = [own, linked], cc_infos = deps),
    ]

tile_library = rule(
    implementation = _tile_library,
    attrs = {
        "srcs": attr.label_list(allow_files = [".tt.cpp", ".cu"]),
        "hdrs": attr.label_list(allow_files = True),
        "deps": attr.label_list(providers = [CcInfo]),
        "includes": attr.string_list(),
        "defines": attr.string_list(),
        "local_defines": attr.string_list(),
        "copts": attr.string_list(),
        "ptxasopts": attr.string_list(),
        "linkopts": attr.string_list(),
        "_compiler": attr.label(
            default = "@tilecc//:bin/tilecc",
            allow_single_file = True,
            executable = True,
            cfg = "exec",
        ),
        "_compiler_files": attr.label(default = "@tilecc//:compiler_files"),
        "_runtime": attr.label(default = "@tilecc//:runtime"),
    },
    provides = [CcInfo],
)
