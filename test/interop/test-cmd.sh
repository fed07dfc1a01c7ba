#!/usr/bin/env bash
# Runs the shell scripts that upstream tests kubectl with (k8s.io/kubernetes, test/cmd) against given programs:
#
#   test-cmd.sh SOURCE PROGRAMS ETCD [DIRECTORY]
#
# SOURCE is the module's directory, PROGRAMS that of "coxswain assets" or of the original's programs, and ETCD an etcd with its
# JSON gateway. Prints each script and whether it failed; the log and JUnit reports are in DIRECTORY.
set -euo pipefail

source=$1 programs=$2 etcd=$3 directory=${4:-$(mktemp -d)}
tree=$directory/kubernetes
bin=$tree/_output/bin

mkdir -p "$tree/test" "$tree/third_party" "$bin" "$directory/bin" "$directory/tmp"
cp -r "$source/hack" "$source/api" "$source/cluster" "$tree"
cp -r "$source/test/cmd" "$source/test/fixtures" "$source/test/e2e" "$tree/test"
cp -r "$source/third_party/forked" "$tree/third_party"
chmod -R u+w "$tree"
for program in kubectl kube-apiserver kube-controller-manager; do ln -sf "$programs/$program" "$bin/$program"; done
ln -sf "$etcd" "$bin/etcd"
# A module has no executable files.
find "$tree/test/fixtures/pkg/kubectl/plugins" -type f -exec chmod +x {} +
# Nothing is built; kubeadm is not tested.
printf '#!/bin/sh\n' >"$directory/bin/make"
chmod +x "$directory/bin/make"
sed -i 's/WHAT} == "" ||/WHAT} == none ||/' "$tree/hack/make-rules/test-cmd.sh"

cd "$tree"
export PATH="$directory/bin:$bin:$PATH" TMPDIR="$directory/tmp" KUBE_JUNIT_REPORT_DIR="$directory/junit" ALLOW_SKEW=1
bash hack/make-rules/test-cmd.sh >"$directory/log" 2>&1 || true
awk '/Running case: test-cmd\.run_/ { ran++ } /^Error when running/ { failed++; print }
  END { print ran - failed " passed, " failed + 0 " failed" }' "$directory/log"
