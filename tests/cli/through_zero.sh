# SPDX-License-Identifier: Apache-2.0
# The reaction of a rigid guide passes zero where friction outdoes it: held against the motion over a stiff guide.
set -eu
exec python3 "$AMO_SOURCE_DIR/tests/cli/through_zero.py"
