#!/bin/sh
# Runs as root while the container is built; VERSION and NODES are the options.
set -eu

command -v npm >/dev/null || {
  echo 'coxswain needs Node and npm in the container: choose an image with them, or add the feature "node" before this one' >&2
  exit 1
}
npm install --global --no-audit --no-fund "coxswain@${VERSION:-latest}"

cat >/usr/local/bin/coxswain-start <<EOF
#!/bin/sh
# Once in each life of the container.
coxswain status >/dev/null 2>&1 ||
  exec coxswain up --detach --wait --port=0 --nodes=${NODES:-1} --kubeconfig="\$KUBECONFIG"
EOF
chmod 0755 /usr/local/bin/coxswain-start
