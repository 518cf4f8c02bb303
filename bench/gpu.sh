#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Speed on a graphics processor (bench_gpu.cu), in two parts, since the machine with the processor may lack what builds amontons:
#   bench/gpu.sh write FOLDER [PROGRAM]   the texts of three models, here
#   bench/gpu.sh run FOLDER               compile them with nvcc and cc and run them, there
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=${2:?folder}
models=(block-on-belt klarbring-mass relief-valve)
cases=(BLOCK KLARBRING VALVE)

case ${1:?write or run} in
  write)
    mkdir -p "$folder"
    for m in "${models[@]}"; do
      "${3:-$here/../build/amontons}" emit "$here/../models/$m.yaml" --target cuda --order 14 --out "$folder/$m.cuh" >/dev/null
      "${3:-$here/../build/amontons}" emit "$here/../models/$m.yaml" --target c --order 14 --out "$folder/$m.c" >/dev/null
    done
    ;;
  run)
    nvidia-smi --query-gpu=name --format=csv,noheader
    for i in 0 1 2; do
      m=${models[$i]}
      (
        cc -O3 -march=native -std=gnu17 -Dswarm_run=swarm_run_cpu -c "$folder/$m.c" -o "$folder/$m.o"
        nvcc -O3 -arch=native -Xptxas -v -DTEXT="\"$m.cuh\"" -DCASE="${cases[$i]}" -I "$folder" "$here/bench_gpu.cu" "$folder/$m.o" \
          -o "$folder/$m.gpu" 2>"$folder/$m.log" || cat "$folder/$m.log"
      ) &
    done
    wait
    for m in "${models[@]}"; do
      grep -A1 swarm_kernel "$folder/$m.log" | grep -oE '[0-9]+ (registers|bytes (stack frame|spill[a-z ]*))' | paste -sd' ' || true
      "$folder/$m.gpu"
    done
    ;;
esac
