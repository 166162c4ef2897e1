"""Runs the only kernel of a file that tcc reads, as CPU code and on the PTX emulator. Arguments are integers, and arrays for pointers."""
import array, ctypes, json, random, re, subprocess


def on_cpu(tcc, cc, path, grid, arguments):
    """The kernel modifies the arrays in place."""
    subprocess.run([tcc, "--emit=cpu-asm", "--cpu-level=2", path, "-o", "k.s"], check=True)
    functions = re.findall(r'^"?([\w.]+\.cpu\.v2[.\w]*)"?:', open("k.s").read(), re.M)
    open("k.c", "w").write(f"""#include <stdint.h>
void __tilecc_cpu_wait(const char *f, uint32_t l, uint64_t i) {{}}
void __tilecc_cpu_wait_over(void) {{}}
void f(void *const *, const uint32_t *, const uint32_t *, void *) __asm__("{functions[0]}");
static char scratch[1 << 20] __attribute__((aligned(64)));
void run(void *const *args, const uint32_t *n) {{
  uint32_t i[3];
  for (i[2] = 0; i[2] < n[2]; i[2]++) for (i[1] = 0; i[1] < n[1]; i[1]++) for (i[0] = 0; i[0] < n[0]; i[0]++)
    f(args, i, n, scratch);
}}""")
    library = f"./{random.random()}.so"
    subprocess.run([cc, "-O1", "-fPIC", "-shared", "-o", library, "-xc", "k.c", "-xassembler", "k.s", "-lm"], check=True)
    # A kernel reads as many bytes of an integer as its parameter has.
    values = [ctypes.c_int64(a) if isinstance(a, int) else ctypes.c_void_p(a.buffer_info()[0]) for a in arguments]
    pointers = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
    ctypes.CDLL(library).run(pointers, (ctypes.c_uint32 * 3)(*(tuple(grid) + (1, 1))[:3]))
    return arguments


def on_emulator(tcc, tcc_run, target, path, grid, arguments, flags=(), run_flags=()):
    """Returns the arguments, with the arrays after the run. `flags` are tcc's, `run_flags` tcc-run's."""
    subprocess.run([tcc, "--emit=ptx", f"-arch={target}", *flags, path, "-o", "k.ptx"], check=True)
    description = subprocess.run([tcc, "--emit=json", f"-arch={target}", *flags, path, "-o", "-"], check=True,
                                 capture_output=True)
    info = json.loads(description.stdout)["kernels"][0]
    assert len(info["parameters"]) == len(arguments), f"{path}: {len(info['parameters'])} parameters"
    compiled_for = re.search(r"\.target (\w+)", open("k.ptx").read())[1]
    launch = next(l for v in info["variants"] for l in v["launches"] if l["target"] == compiled_for)
    command = [tcc_run, "k.ptx", "--grid=" + ",".join(map(str, grid)), f"--block={launch['threads']}",
               f"--shared={launch['shared_bytes']}", *run_flags]
    saved = {}
    for n, a in enumerate(arguments):
        if isinstance(a, int):
            size = info["parameters"][n]["size"]
            command.append(f"--arg={ {1: 'u8', 4: 's32', 8: 's64'}[size]}:{a}")
        else:
            open(f"in{n}", "wb").write(a.tobytes())
            code = {"f": "f32", "i": "s32", "B": "u8", "H": "u16"}[a.typecode]
            command += [f"--arg={code}[{len(a)}]=@in{n}", f"--save={n}:out{n}"]
            saved[n] = a.typecode
    subprocess.run(command, check=True)
    results = {n: array.array(code, open(f"out{n}", "rb").read()) for n, code in saved.items()}
    return [results.get(n, a) for n, a in enumerate(arguments)]
