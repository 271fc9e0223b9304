#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
. ./setup.sh
set -ex
cmake -S "$MINIAPP_ROOT/share/miniapp/examples" -B build -D CMAKE_PREFIX_PATH="$MINIAPP_ROOT" -D CMAKE_BUILD_TYPE=Release
cmake --build build --target poisson --target matrix
