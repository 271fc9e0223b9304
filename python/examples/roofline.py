# SPDX-License-Identifier: BSD-3-Clause
"""Operators of the bake-off problems under the roofs of this machine, from records of runs: roofline.py [PICTURE]"""
import sys

import matplotlib
import miniapp
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

figure, axes = pyplot.subplots(figsize=(6, 4), layout="constrained")
memory, arithmetic, intensities = [], [], []
for bp, marker in ("1.0", "s"), ("3.0", "o"), ("3.5", "^"):
    records = miniapp.records(bp=bp, elements=4096, order=miniapp.built_orders(), no_solve=True)
    points = []
    for record in records:
        roofs = record["roofs"]
        flops = 2 * roofs["multiplications"]  # each fused with an addition
        points.append((flops / roofs["least_bytes"], flops / record["timing"]["operator_s"]["min"] / 1e9))
        memory.append(roofs["memory_gbytes"])
        arithmetic.append(roofs["fma_gflops"])
        print(f"BP{bp}, order {record['case']['order']}: {points[-1][1]:.1f} GFLOP/s, bound by {roofs['bound_by']}")
    points = np.array(points)
    intensities += list(points[:, 0])
    axes.loglog(*points.T, marker=marker, label=f"BP{bp}")
    for record, point in zip(records, points):
        axes.annotate(record["case"]["order"], point, xytext=(3, -10), textcoords="offset points", fontsize=8)
x = np.geomspace(min(intensities) / 2, max(intensities) * 2)
axes.loglog(x, np.minimum(np.median(memory) * x, np.median(arithmetic)), color="gray", label="bound")
axes.set(xlabel="flops per byte that has to be moved", ylabel="GFLOP/s",
         title=f"y = A x with gather and scatter, by order\n{records[0]['device']}, {records[0]['threads']} thread(s)")
for scale, axis in (axes.set_xscale, axes.xaxis), (axes.set_yscale, axes.yaxis):
    scale("log", base=2)
    axis.set_major_formatter("{x:g}")
axes.grid(alpha=0.3)
axes.legend()
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "roofline.png", dpi=70)
