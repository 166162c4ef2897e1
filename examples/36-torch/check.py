"""36: checks the operators against PyTorch's own, with opcheck, gradient comparison and torch.compile, on the CPU and
on a GPU if there is one, and compares their speed with PyTorch's. Prints PASS or FAIL for each check; exits with a
failure if one failed.

    python check.py build-torch/tilecc_example.so
"""
import sys

import torch

import tilecc_example

ops = tilecc_example.load(sys.argv[1])
failed = 0


def check(what, good, detail=""):
    global failed
    failed += not good
    print(f"{'PASS' if good else 'FAIL'}: {what}{': ' + detail if detail else ''}", flush=True)


def close(what, actual, expected, dtype):
    tolerance = {torch.float32: 2e-5, torch.float16: 4e-3, torch.bfloat16: 3e-2}[dtype]
    error = 0.0  # relative to the largest element
    if actual.numel():
        error = ((actual.double() - expected.double()).abs().max() / expected.double().abs().max()).item()
    check(what, actual.shape == expected.shape and error <= tolerance, f"largest error {error:.2g}")


def run(device):
    torch.manual_seed(0)
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        name = f"{device}, {str(dtype)[6:]}"
        for shape in ((3, 5), (2, 7, 1000), (33, 4096), (1, 10000), (0, 8)):
            x = torch.randn(shape, device=device, dtype=dtype)
            close(f"softmax of {tuple(shape)} on {name}", ops.softmax(x), torch.softmax(x.double(), -1), dtype)
        x, y = (torch.randn(17, 300, device=device, dtype=dtype, requires_grad=True) for _ in range(2))
        with torch.no_grad():
            y.copy_(x)
        weight = torch.randn(17, 300, device=device, dtype=dtype)
        (ops.softmax(x) * weight).sum().backward()
        (torch.softmax(y, -1) * weight).sum().backward()
        close(f"gradient of softmax on {name}", x.grad, y.grad, dtype)

        a, b, c = (torch.randn(shape, device=device, dtype=dtype) / 8 for shape in ((100, 130), (130, 70), (70,)))
        expected = torch.relu(a.double() @ b.double() + c.double())
        tf32 = torch.float16 if dtype == torch.float32 and device == "cuda" else dtype  # tf32 is as precise as half
        close(f"linear_relu on {name}", ops.linear_relu(a, b, c), expected, tf32)
        leaves = [t.clone().requires_grad_() for t in (a, b, c)]
        plain = [t.clone().requires_grad_() for t in (a, b, c)]
        outputs = ops.linear_relu(*leaves)
        outputs.sum().backward()
        # A sum near zero may round to either side, and the gradient depends on the side: expect that of our side.
        ((plain[0] @ plain[1] + plain[2]) * (outputs.detach() > 0)).sum().backward()
        for which, ours, theirs in zip("x w bias".split(), leaves, plain):
            close(f"gradient of linear_relu by {which} on {name}", ours.grad, theirs.grad, torch.bfloat16)

    x = torch.randn(4, 64, device=device, requires_grad=True)
    w, bias = torch.randn(64, 32, device=device, requires_grad=True), torch.randn(32, device=device, requires_grad=True)
    for op, args in ((ops.softmax.default, (x,)), (ops.softmax_backward.default, (x.detach(), x.detach())),
                     (ops.linear_relu.default, (x, w, bias))):
        result = torch.library.opcheck(op, args, raise_exception=False)
        check(f"opcheck of {op} on {device}", all(v == "SUCCESS" for v in result.values()),
              ", ".join(f"{k}: {v}" for k, v in result.items() if v != "SUCCESS"))

    def layer(x, w, bias):
        return ops.softmax(ops.linear_relu(x * 2, w, bias)) + 1

    try:
        # The "inductor" backend needs a C++ compiler; "aot_eager" traces and runs the graph without one.
        for backend in ("aot_eager", "inductor"):
            compiled = torch.compile(layer, backend=backend, fullgraph=True)(x, w, bias)
            close(f"torch.compile by {backend} on {device}", compiled, layer(x, w, bias), torch.float32)
    except Exception as error:  # this machine has no compiler
        print(f"SKIP: torch.compile by {backend} on {device}: {str(error).splitlines()[0][:120]}")

    try:
        ops.softmax(torch.zeros(4, 8, device=device).T)
        check(f"a tensor with gaps is an error on {device}", False)
    except RuntimeError as error:
        check(f"a tensor with gaps is an error on {device}", "must be contiguous" in str(error))


def run_in_streams():
    x = torch.randn(512, 4096, device="cuda")
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        y = ops.softmax(x * 3)
    torch.cuda.current_stream().wait_stream(side)
    close("in a stream of PyTorch's", y, torch.softmax(x * 3, -1), torch.float32)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        z = ops.softmax(x)
    x.copy_(torch.randn_like(x))
    graph.replay()
    close("captured in a graph of PyTorch's", z, torch.softmax(x, -1), torch.float32)


def measure():
    from statistics import median

    def time(call):
        for _ in range(5):
            call()
        times = []
        for _ in range(30):
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            for _ in range(10):
                call()
            end.record()
            end.synchronize()
            times.append(start.elapsed_time(end) * 100)
        return median(times)

    print(torch.cuda.get_device_name(), "torch", torch.__version__)
    for columns in (1024, 4096, 16384):
        x = torch.randn(8192, columns, device="cuda", dtype=torch.bfloat16)
        ours, theirs = time(lambda: ops.softmax(x)), time(lambda: torch.softmax(x, -1))
        print(f"softmax of 8192 x {columns} bf16: {ours:.1f} us, torch {theirs:.1f} us: {theirs / ours:.2f} times its speed")
    for size in (1024, 4096, 8192):
        a, b = (torch.randn(size, size, device="cuda", dtype=torch.bfloat16) for _ in range(2))
        bias = torch.randn(size, device="cuda", dtype=torch.bfloat16)
        ours, theirs = time(lambda: ops.linear_relu(a, b, bias)), time(lambda: torch.relu(torch.addmm(bias, a, b)))
        print(f"linear_relu of {size}^3 bf16: {ours:.1f} us, torch {theirs:.1f} us: {theirs / ours:.2f} times its speed")


print("torch", torch.__version__)
run("cpu")
if torch.cuda.is_available():
    run("cuda")
    run_in_streams()
    measure()
else:
    print("no GPU: the CPU alone has been checked")
print(f"{failed} failed" if failed else "all passed")
sys.exit(failed != 0)
