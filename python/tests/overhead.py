# SPDX-License-Identifier: BSD-3-Clause
"""What a call from Python adds to y = A x: overhead.py [ORDER [CELLS [ROUNDS]]]

By turns: the operator so many times in a loop of C++ on vectors of the library, as the program times it; the same number of
calls of A.apply(x, y) on arrays of NumPy; A @ x. Processor time, which does not count what others on the machine take; the
median of the rounds' ratios. Then the program's own time of the operator, and a call for one element, all of which is at most
the cost of a call."""
import statistics
import sys
import time

import miniapp
import numpy as np

order = int(sys.argv[1]) if len(sys.argv) > 1 else miniapp.built_orders()[-1]
cells = int(sys.argv[2]) if len(sys.argv) > 2 else round(99 / order)
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 30
times = 10


def seconds(call):
    begin = time.process_time()
    call()
    return time.process_time() - begin


def repeated(call, number=times):
    for _ in range(number):
        call()


def case(cells, order):
    A = miniapp.Problem(miniapp.Mesh.box(cells, cells, cells, deform=0.08), order, lambda_=1).operator
    return A, np.linspace(0, 1, A.size), np.zeros(A.size)


A, x, y = case(cells, order)
u, v = A @ x, A @ x  # vectors of the library
calls = {"A.apply(x, y)": lambda: repeated(lambda: A.apply(x, y)), "A @ x": lambda: repeated(lambda: A @ x)}
ratios = {what: [] for what in calls}
for _ in range(rounds):
    own = seconds(lambda: A._repeat(u, v, times))
    for what, call in calls.items():
        ratios[what].append(seconds(call) / own)
print(f"BP3.0, order {order}, {A.size} nodes, {rounds} rounds of {times}: {1e3 * own / times:.2f} ms in C++")
for what, found in ratios.items():
    low, middle, high = statistics.quantiles(found, n=4)
    print(f"{what} / C++: median {middle:.4f}, half of the rounds from {low:.4f} to {high:.4f}")
record = miniapp.run(bp="3.0", order=order, cells=cells, boundary="neumann", no_solve=True)
print(f"the program's operator: {1e3 * record['timing']['operator_s']['min']:.2f} ms at least, on this machine as busy as it is")
small, x, y = case(1, 1)
for what, call in ("apply(x, y)", lambda: small.apply(x, y)), ("@", lambda: small @ x):
    print(f"a call of {what}: at most {1e6 * seconds(lambda: repeated(call, 100000)) / 100000:.2f} us")
