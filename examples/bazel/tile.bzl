"""tile_library(name, srcs, hdrs, deps, copts): sources with tile kernels (.tt.cpp), for cc_binary and cc_library to depend on.

tcc compiles them, and the C++ toolchain links. Where tcc is, says @tilecc in WORKSPACE.
"""

def _tile_library(ctx):
    deps = [dep[CcInfo] for dep in ctx.attr.deps + [ctx.attr._runtime]]
    context = cc_common.merge_cc_infos(cc_infos = deps).compilation_context
    objects = []
    for source in ctx.files.srcs:
        object = ctx.actions.declare_file("%s/%s.o" % (ctx.label.name, source.basename))
        arguments = ctx.actions.args()
        arguments.add_all(["-c", source.path, "-o", object.path, "-fPIC", "-iquote", "."] + ctx.attr.copts)
        arguments.add_all(context.quote_includes, before_each = "-iquote")
        arguments.add_all(context.defines, before_each = "-D")
        ctx.actions.run(
            executable = ctx.executable._compiler,
            arguments = [arguments],
            inputs = depset([source] + ctx.files.hdrs, transitive = [context.headers]),
            tools = ctx.files._compiler_files,
            outputs = [object],
            mnemonic = "TileCompile",
            use_default_shell_env = True, # PATH, to find a CUDA toolkit
        )
        objects.append(object)
    own = CcInfo(
        compilation_context = cc_common.create_compilation_context(headers = depset(ctx.files.hdrs)),
        linking_context = cc_common.create_linking_context(linker_inputs = depset([cc_common.create_linker_input(
            owner = ctx.label,
            additional_inputs = depset(objects),
            user_link_flags = depset([object.path for object in objects]),
        )])),
    )
    return [DefaultInfo(files = depset(objects)), cc_common.merge_cc_infos(direct_cc_infos = [own], cc_infos = deps)]

tile_library = rule(
    implementation = _tile_library,
    attrs = {
        "srcs": attr.label_list(allow_files = [".tt.cpp"]),
        "hdrs": attr.label_list(allow_files = [".h"]),
        "deps": attr.label_list(providers = [CcInfo]),
        "copts": attr.string_list(),
        "_compiler": attr.label(default = "@tilecc//:bin/tilecc", allow_single_file = True, executable = True, cfg = "host"),
        "_compiler_files": attr.label(default = "@tilecc//:compiler_files"),
        "_runtime": attr.label(default = "@tilecc//:runtime"),
    },
)
