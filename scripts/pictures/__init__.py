# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of records, for scripts/plot: one file per module; records.py is what they share, style.py how they look."""
