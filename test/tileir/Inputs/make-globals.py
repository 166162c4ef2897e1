# Writes bytecode with globals, which cuTile Python uses in few kernels:
#   cd test/tileir/Inputs && python make-globals.py [FOLDER]      (needs: pip install cuda-tile==1.7.0; no GPU)
# The kernel multiplies a tile by constant weights, and counts its programs in a variable, whose value it stores.
import struct
import sys

import cuda.tile._bytecode as bc

T = 16
folder = sys.argv[1] if len(sys.argv) > 1 else "."
buffer = bytearray()
with bc.write_bytecode(num_functions=1, buf=buffer, version=bc.BytecodeVersion.V_13_4) as writer:
    types, plain = writer.type_table, bc.PtrAttr.Missing
    i32, f32 = types.I32, types.F32
    to_float, to_int = types.pointer(f32, plain), types.pointer(i32, plain)
    pointer, counter = types.tile(to_float, ()), types.tile(to_int, ())
    number, line, tile = types.tile(i32, ()), types.tile(i32, (T,)), types.tile(f32, (T,))
    writer.global_section.define_global("weights", tile, struct.pack("<4f", 1, 2, 4, 8) * (T // 4), 16, constant=True)
    writer.global_section.define_global("programs", types.tile(i32, (1,)), struct.pack("<i", 40))
    scopes = writer.debug_attr_table
    file = scopes.file("globals.tile", "")
    function = scopes.subprogram(file, 1, "globals", "globals", scopes.compile_unit(file), 1)
    place = lambda n: scopes.loc(function, "globals.tile", n, 3)
    with writer.function("globals", [pointer, pointer, counter], [], True, {}, place(1)) as (code, (x, y, counts)):
        def pointers(base):
            one = bc.encode_ReshapeOp(code, types.tile(to_float, (1,)), base)
            all = types.tile(to_float, (T,))
            return bc.encode_OffsetOp(code, all, bc.encode_BroadcastOp(code, all, one), bc.encode_IotaOp(code, line))

        def load(base):
            return bc.encode_LoadPtrTkoOp(code, tile, types.Token, pointers(base), None, None, None,
                                          bc.MemoryOrderingSemantics.WEAK, None, None)[0]

        with code.debug_attr(place(2)):
            weights = load(bc.encode_GetGlobalOp(code, pointer, "weights"))
        with code.debug_attr(place(3)):
            product = bc.encode_MulFOp(code, tile, load(x), weights, bc.RoundingMode.NEAREST_EVEN, False)
            bc.encode_StorePtrTkoOp(code, types.Token, pointers(y), product, None, None, bc.MemoryOrderingSemantics.WEAK, None, None)
        with code.debug_attr(place(4)):
            one = bc.encode_ConstantOp(code, number, (1).to_bytes(4, "little"))
            programs = bc.encode_GetGlobalOp(code, counter, "programs")
            add = lambda place, value: bc.encode_AtomicRMWTkoOp(
                code, number, types.Token, place, value, None, None, bc.MemoryOrderingSemantics.ACQ_REL, bc.MemoryScope.DEVICE,
                bc.AtomicRMWMode.ADD)[0]
            add(counts, add(programs, one))
            bc.encode_ReturnOp(code, [])
open(f"{folder}/globals-13.4.tilebc", "wb").write(buffer)
