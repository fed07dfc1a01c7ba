#!/bin/sh
# KUBECONFIG=FILE descheduler.sh DESCHEDULER KUBECTL: which pods the descheduler moves in a cluster of three empty nodes,
# told by the position of their nodes, so that two clusters can be compared.
set -eu
D=$1 K=$2 directory=$(mktemp -d)
trap 'rm -r "$directory"' EXIT
cat > $directory/policy.yaml <<'P'
apiVersion: descheduler/v1alpha2
kind: DeschedulerPolicy
profiles:
- name: all
  pluginConfig:
  - name: DefaultEvictor
    args: {nodeFit: true}
  - name: RemovePodsViolatingNodeTaints
    args: {includePreferNoSchedule: false}
  - name: RemovePodsViolatingNodeAffinity
    args: {nodeAffinityType: [requiredDuringSchedulingIgnoredDuringExecution]}
  - name: RemoveDuplicates
  - name: RemovePodsViolatingTopologySpreadConstraint
  plugins:
    deschedule: {enabled: [RemovePodsViolatingNodeTaints, RemovePodsViolatingNodeAffinity]}
    balance: {enabled: [RemoveDuplicates, RemovePodsViolatingTopologySpreadConstraint]}
P
set -- $($K get nodes -o name | sed 's#node/##' | sort)
first=$1 second=$2 third=$3
$K create ns d > /dev/null; $K label node "$second" disk=ssd > /dev/null
$K cordon "$second" "$third" > /dev/null
$K create deploy dup -n d --image=nginx --replicas=3 > /dev/null
$K create deploy guarded -n d --image=nginx --replicas=3 > /dev/null
$K create pdb guarded -n d --selector=app=guarded --min-available=3 > /dev/null
$K wait -n d --for=condition=Available deploy --all --timeout=60s > /dev/null
$K uncordon "$second" "$third" > /dev/null
$K apply -n d -f - > /dev/null <<'P'
apiVersion: apps/v1
kind: Deployment
metadata: {name: aff}
spec:
  replicas: 2
  selector: {matchLabels: {app: aff}}
  template:
    metadata: {labels: {app: aff}}
    spec:
      affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]}}}
      containers: [{name: c, image: nginx}]
P
$K wait -n d --for=condition=Available deploy --all --timeout=60s > /dev/null

# Pods by their deployment and the position of their node.
at() {
  echo "== $1"
  $K get pods -n d --field-selector=status.phase=Running \
    -o jsonpath='{range .items[*]}{.metadata.labels.app} {.spec.nodeName} {.metadata.deletionTimestamp}{"\n"}{end}' |
    sed -n 's/ $//p' | sed "s/ $first$/ first/; s/ $second$/ second/; s/ $third$/ third/" | sort | uniq -c
}

descheduled() {
  "$D" --kubeconfig "$KUBECONFIG" --policy-config-file "$directory/policy.yaml" --descheduling-interval 0 --v 1 \
    --secure-port 0 2> "$directory/log"
  grep -o '"Evicted pod".*strategy="[A-Za-z]*"' "$directory/log" | grep -o 'strategy="[A-Za-z]*"' | sort | uniq -c
  $K wait -n d --for=condition=Available deploy --all --timeout=60s > /dev/null
  at "$1"
}

at start
descheduled duplicates
$K label node "$second" disk- > /dev/null
$K label node "$third" disk=ssd > /dev/null
descheduled affinity
$K taint node "$first" x=y:NoSchedule > /dev/null
descheduled taint
