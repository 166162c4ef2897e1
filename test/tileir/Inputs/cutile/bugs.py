# Programs with a mistake, of which the emulator tells: bugs.py <name>
import sys

import cuda.tile as ct
import numpy as np
import tilecc.cutile as device


@ct.kernel
def race(x, sums, T: ct.Constant[int]):
    total = ct.sum(ct.load(x, index=(ct.bid(0),), shape=(T,)))
    before = ct.load(sums, index=(0,), shape=(1,))
    ct.store(sums, index=(0,), tile=before + total)  # every program stores here


@ct.kernel
def outside(x, indices, y, T: ct.Constant[int]):
    places = ct.load(indices, index=(0,), shape=(T,))
    ct.store(y, index=(0,), tile=ct.gather(x, (places,), check_bounds=False))  # an index is too large


x = device.asarray(np.ones(256, np.float32))
if sys.argv[1] == "race":
    ct.launch(device.stream(), (4,), race, (x, device.asarray(np.zeros(1, np.float32)), 64))
else:
    indices = np.arange(64, dtype=np.int32)
    indices[7] = 256
    ct.launch(device.stream(), (1,), outside, (x, device.asarray(indices), device.asarray(np.zeros(64, np.float32)), 64))
if len(sys.argv) == 2:
    device.synchronize()
