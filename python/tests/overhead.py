# SPDX-License-Identifier: BSD-3-Clause
"""What a call from Python adds to y = A x: overhead.py [ORDER [CELLS [ROUNDS]]]

The program's own times of the operator and those of op.apply(x, y) by turns, so that both see the same machine: the median of
each round, and the median of the rounds' ratios; the least of all times. Then apply() of one element, all of which is at most the cost of a call."""
import statistics
import sys
import time

import miniapp
import numpy as np

order = int(sys.argv[1]) if len(sys.argv) > 1 else miniapp.built_orders()[-1]
cells = int(sys.argv[2]) if len(sys.argv) > 2 else round(99 / order)
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 9
repeat = 15


def seconds(call, repetitions):
    times = []
    for _ in range(repetitions):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return {"median": statistics.median(times), "min": min(times)}


def case(cells, order):
    A = miniapp.Problem(miniapp.Mesh.box(cells, cells, cells, deform=0.08), order, lambda_=1).operator
    return A, np.linspace(0, 1, A.size), np.zeros(A.size)


A, x, y = case(cells, order)
command = dict(bp="3.0", order=order, cells=cells, boundary="neumann", no_solve=True, repeat=repeat)
own, others = [], {"A.apply(x, y)": [], "A @ x": []}
for _ in range(rounds):
    own.append(miniapp.run(**command)["timing"]["operator_s"])
    others["A.apply(x, y)"].append(seconds(lambda: A.apply(x, y), repeat))
    others["A @ x"].append(seconds(lambda: A @ x, repeat))
least = min(times["min"] for times in own)
print(f"BP3.0, order {order}, {A.size} nodes, {rounds} rounds of {repeat}; the program's operator takes at least {1e3 * least:.2f} ms")
for what, found in others.items():
    ratios = [a["median"] / b["median"] for a, b in zip(found, own)]
    print(f"{what} / program: of medians {statistics.median(ratios):.4f}, in rounds from {min(ratios):.4f} to {max(ratios):.4f};",
          f"of the least times {min(times['min'] for times in found) / least:.4f}")
small, x, y = case(1, 1)
print(f"a call: at most {1e6 * seconds(lambda: small.apply(x, y), 20000)['median']:.2f} us with apply(), "
      f"{1e6 * seconds(lambda: small @ x, 20000)['median']:.2f} us with @")
