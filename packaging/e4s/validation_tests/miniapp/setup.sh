#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# As the other validation tests of E4S' testsuite: spackLoadUnique sets MINIAPP_ROOT.
. ../../setup.sh
spackLoadUnique miniapp
