# SPDX-License-Identifier: BSD-3-Clause
"""Where VTK has the nodes of Lagrange cells."""

WEDGES = {(p + 1)**2 * (p + 2) // 2: p for p in range(1, 8)}  # (nodes of a cell): the order of prisms


def vtk_node(p, i, j, k):
    """Where a Lagrange hexahedron of order p has node (i, j, k)."""
    ends = [at in (0, p) for at in (i, j, k)]
    inner, corner = p - 1, (2 if j else 1) if i else (3 if j else 0)
    if all(ends):
        return corner + (4 if k else 0)
    if ends[1] and ends[2]:
        return 8 + i - 1 + (2 * inner if j else 0) + (4 * inner if k else 0)
    if ends[0] and ends[2]:
        return 8 + j - 1 + (inner if i else 3 * inner) + (4 * inner if k else 0)
    if ends[0] and ends[1]:
        return 8 + 8 * inner + k - 1 + corner * inner
    first = 8 + 12 * inner
    if ends[0]:
        return first + j - 1 + inner * (k - 1) + (inner**2 if i else 0)
    if ends[1]:
        return first + 2 * inner**2 + i - 1 + inner * (k - 1) + (inner**2 if j else 0)
    if ends[2]:
        return first + 4 * inner**2 + i - 1 + inner * (j - 1) + (inner**2 if k else 0)
    return first + 6 * inner**2 + i - 1 + inner * (j - 1 + inner * (k - 1))


def wedge_node(p, i, j, k):
    """Where a Lagrange wedge of order p has node (i, j, k), i and j along two edges of the triangle."""
    inner, of_triangle, edges, on_k = p - 1, (p - 1) * (p - 2) // 2, (i == 0) + (j == 0) + (i + j == p), k in (0, p)
    corner = 0 if i == j == 0 else 1 if j == 0 else 2
    inside = i - 1 + sum(inner - row for row in range(1, j))
    if edges == 2:
        return corner + (3 if k else 0) if on_k else 6 + (6 + corner) * inner + k - 1
    if edges == 1 and on_k:
        return 6 + (3 * inner if k else 0) + (i - 1 if j == 0 else inner + j - 1 if i else 3 * inner - j)
    first = 6 + 9 * inner
    if on_k:
        return first + (of_triangle if k else 0) + inside
    first += 2 * of_triangle + inner * (k - 1)
    if edges == 1:
        return first + (i - 1 if j == 0 else inner**2 + j - 1 if i else 2 * inner**2 + inner - j)
    return 6 + 9 * inner + 2 * of_triangle + 3 * inner**2 + of_triangle * (k - 1) + inside
