# SPDX-License-Identifier: Apache-2.0
# Models and studies conform to the schemas for editors; what is wrong in structure does not.
. "$(dirname "$0")/lib.bash"
python3 -c "import yaml" 2>/dev/null || { echo "no PyYAML: left out"; exit 0; }
python3 "$source_dir/tests/cli/file_schemas.py" "$amontons" "$source_dir" >out 2>err || fail "schemas of files"
finish
