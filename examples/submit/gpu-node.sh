#!/bin/bash
#SBATCH --job-name=miniapp
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=8
#SBATCH --exclusive
#SBATCH --time=00:10:00
#SBATCH --output=miniapp-%j.out
# The main job on the GPUs of one node, a rank on each: set 4 to the GPUs of yours, in both lines. Each rank takes the GPU of its
# number on the host, and stores values into the memory of the others: so all ranks have to see all GPUs (--gpu-bind=none).
# Without Slurm: LAUNCH="mpirun -n 2" bash gpu-node.sh
set -euo pipefail
launch=${LAUNCH:-srun --gpu-bind=none}

$launch ./miniapp --bp 3.0 --order 7 --elements 32768 --weak --json gpu-node.json
