#!/usr/bin/env bash
# Two machines out of one, for mpirun: network namespaces with a host name and a link of their own, so that Open MPI starts a daemon on the second, and
# all that goes between them goes over TCP. The arguments are mpirun's; ranks go to the machines in turn. Needs root and iproute2:
#
#	bash internal/rank/mpi/machines.sh -n 4 ./ocrbench synch_p2p --bind none
set -euo pipefail

[ "$(id -u)" = 0 ] && command -v ip >/dev/null || { echo "$0: must be root, and have iproute2" >&2; exit 2; }
first=ocr$$-0 second=ocr$$-1
agent=$(mktemp)
trap 'rm -f "$agent"; ip netns delete $first; ip netns delete $second' EXIT
ip netns add $first
ip netns add $second
ip -n $first link add link0 type veth peer name link1 netns $second
for k in 0 1; do
	ip -n ocr$$-$k addr add 10.77.0.$((k + 1))/24 dev link$k
	ip -n ocr$$-$k link set link$k up
	ip -n ocr$$-$k link set lo up
done

# Stands in for ssh, which hands its arguments, joined, to a shell of the other machine.
cat >"$agent" <<'AGENT'
#!/usr/bin/env bash
exec ip netns exec "$1" unshare --uts bash -c 'hostname "$1" && eval "$2"' bash "$1" "${*:2}"
AGENT
chmod +x "$agent"

"$agent" $first exec mpirun --allow-run-as-root --mca plm_rsh_agent "$agent" --mca btl_tcp_if_include 10.77.0.0/24 --mca oob_tcp_if_include 10.77.0.0/24 \
	--host $first:8,$second:8 --map-by node --bind-to none "${@@Q}"
