# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of records, for scripts/plot: one file per module, what they share in records.py, their looks in style.py."""
