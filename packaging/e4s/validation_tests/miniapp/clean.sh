#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
rm -rf build
