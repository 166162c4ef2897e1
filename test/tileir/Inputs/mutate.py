# Changes single bytes of files or truncates them, and passes the results to tcc, which must compile them or report an error:
#   mutate.py <tcc> <scratch folder> <number>[:<seed>] <files>
import concurrent.futures, os, random, subprocess, sys

tcc, scratch, number, *files = sys.argv[1:]
number, _, seed = number.partition(":")
os.makedirs(scratch, exist_ok=True)
random.seed(int(seed or 7))


def try_one(n, data):
    path = f"{scratch}/{n}.tilebc"
    open(path, "wb").write(data)
    for stage in ["--emit=ttir"], ["-ptx", "-arch=sm_90"], ["--emit=cpu-asm", "--cpu-level=3"]:
        result = subprocess.run([tcc, *stage, path, "-o", path + ".out"], capture_output=True, text=True, errors="replace", timeout=60)
        fine = result.returncode == 0 or (result.returncode == 1 and "error: " in result.stderr)
        if result.returncode:
            break
    return path, result.returncode, fine, result.stderr


jobs = []
for n in range(int(number)):
    data = bytearray(open(random.choice(files), "rb").read())
    for _ in range(random.randint(1, 3)):
        data[random.randrange(12, len(data))] = random.choice([0, 1, 2, 127, 128, 255, random.randrange(256)])
    if n % 8 == 0:
        data = data[:random.randrange(12, len(data))]
    jobs.append(bytes(data))
refused, wrong = 0, []
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for path, status, fine, text in pool.map(lambda job: try_one(*job), enumerate(jobs)):
        refused += status == 1
        if not fine:
            wrong.append(f"{path}: exit status {status}\n{text[:2000]}")
        else:
            os.remove(path)
if wrong:
    sys.exit("\n".join(wrong))
print(f"{len(jobs)} files, {refused} refused")
