#!/bin/bash
#SBATCH --job-name=miniapp
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=64
#SBATCH --cpus-per-task=1
#SBATCH --exclusive
#SBATCH --time=00:10:00
#SBATCH --output=miniapp-%j.out
# The main job on the cores of one node, a rank on each: set 64 to the cores of yours. Kokkos is serial here.
# Elements are those of each rank (--weak), so that nodes of any size have work; the record is appended to cpu-node.json.
# Where the page shows a single device and comes once per rank, srun did not start MPI: srun --mpi=pmix.
# Without Slurm: LAUNCH="mpirun -n 2" bash cpu-node.sh
set -euo pipefail
launch=${LAUNCH:-srun --cpu-bind=cores}

$launch ./miniapp --bp 3.0 --order 7 --elements 4096 --weak --json cpu-node.json
