# SPDX-License-Identifier: BSD-3-Clause
"""What a call from Python adds to y = A x: overhead.py [ORDER [CELLS [ROUNDS]]]

The program's own times of the operator and those of op.apply(x, y) by turns, so that both see the same machine: the median of
each round, and of the rounds' ratios. Then apply() of one element, all of which is at most the cost of a call."""
import statistics
import sys
import time

import miniapp
import numpy as np

order = int(sys.argv[1]) if len(sys.argv) > 1 else miniapp.built_orders()[-1]
cells = int(sys.argv[2]) if len(sys.argv) > 2 else round(99 / order)
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 9
repeat = 15


def median_seconds(call, repetitions):
    times = []
    for _ in range(repetitions):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def case(cells, order):
    A = miniapp.Problem(miniapp.Mesh.box(cells, cells, cells, deform=0.08), order, lambda_=1).operator
    return A, np.linspace(0, 1, A.size), np.zeros(A.size)


A, x, y = case(cells, order)
applied, multiplied = [], []
for _ in range(rounds):
    own = miniapp.run(bp="3.0", order=order, cells=cells, boundary="neumann", no_solve=True, repeat=repeat)["timing"]["operator_s"]
    applied.append(median_seconds(lambda: A.apply(x, y), repeat) / own["median"])
    multiplied.append(median_seconds(lambda: A @ x, repeat) / own["median"])
print(f"BP3.0, order {order}, {A.size} nodes; the program's operator {1e3 * own['median']:.2f} ms; {rounds} rounds of {repeat}")
for what, ratios in ("A.apply(x, y)", applied), ("A @ x", multiplied):
    print(f"{what} / program: median {statistics.median(ratios):.4f}, from {min(ratios):.4f} to {max(ratios):.4f}")
small, x, y = case(1, 1)
print(f"a call: at most {1e6 * median_seconds(lambda: small.apply(x, y), 20000):.2f} us with apply(), "
      f"{1e6 * median_seconds(lambda: small @ x, 20000):.2f} us with @")
