"""What Bazel's own tools load of rules_cc, which would be downloaded: Bazel has these rules in it."""
cc_library = native.cc_library
cc_binary = native.cc_binary
cc_import = native.cc_import
cc_test = native.cc_test
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite
cc_proto_library = native.cc_proto_library
fdo_prefetch_hints = native.fdo_prefetch_hints
fdo_profile = native.fdo_profile
objc_library = native.objc_library
objc_import = native.objc_import

def _nothing(ctx):
    return [platform_common.TemplateVariableInfo({})]

cc_flags_supplier = rule(implementation = _nothing)
