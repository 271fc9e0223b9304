#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
. ./setup.sh
set -ex
cd build
"$MINIAPP_ROOT/bin/miniapp" --sweep order --elements 8 --repeat 1  # ends with 1 where an order is wrong
"$MINIAPP_ROOT/bin/miniapp" streaming --bs 1..7 --verify-only
./matrix
${TEST_RUN} "$MINIAPP_ROOT/bin/miniapp" --verify-only --elements 64
${TEST_RUN} ./poisson "$MINIAPP_ROOT/share/miniapp/inputs/meshes/layers.msh"
