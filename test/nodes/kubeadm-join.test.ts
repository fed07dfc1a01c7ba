/**
 * The original's `kubeadm join` against our server, with our kubelet as the one that it starts: an outside judge of
 * tokens, of what a cluster tells about itself, and of certificates by request. `KUBEADM` names the program, built from
 * the Go module by `go build k8s.io/kubernetes/cmd/kubeadm`; skipped without it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { busyboxImage } from './busybox-image.ts';
import { startContainerd, whyNoContainers, type Containerd } from './containerd.ts';
import { kubectlOn, startServer, token, type Kubectl } from './cluster-on-machines.ts';
import { kubeletSettingsIn } from './kubelet-settings.ts';
import { coxswainProgram, startMachines, type Machine, type Machines } from './machines.ts';

const kubeadm = process.env['KUBEADM'];
const why = whyNoContainers() ?? (kubeadm === undefined ? 'KUBEADM is not set' : undefined);
const judge = test.skipIf(why !== undefined);
const patienceMs = 180_000;

let machines: Machines;
let server: Machine;
let joiner: Machine;
let containerd: Containerd;
let directory: string;
let kubectl: Kubectl;
let invitation: RegExpExecArray;

beforeAll(async () => {
  if (why !== undefined) return;
  machines = startMachines(['server', 'joiner']);
  [server, joiner] = machines.all as [Machine, Machine];
  containerd = await startContainerd({ networkNamespace: joiner.namespace });
  directory = path.join(containerd.directory, 'server');
  kubectl = kubectlOn(server, directory);
  const started = await startServer(server, [`--data-dir=${directory}`]);
  invitation = /--server=https:\/\/(\S+) --discovery-token-ca-cert-hash=(\S+)/.exec(
    started.invitation.join(' '),
  )!;
}, patienceMs);

afterAll(async () => {
  if (why !== undefined) return;
  const id = path.join(containerd.directory, 'host', 'kubelet.pid');
  joiner.run('sh', '-c', `test ! -f ${id} || kill $(cat ${id}); sleep 1`);
  await containerd.stop();
  await machines.stop();
}, patienceMs);

/** A host that has directories of its own where kubeadm writes, and a service manager that knows the kubelet alone. */
function prepareHost(): { readonly script: string; readonly directory: string } {
  const host = path.join(containerd.directory, 'host');
  for (const each of ['etc', 'kubelet', 'bin', 'state', 'patches'])
    mkdirSync(path.join(host, each), { recursive: true });
  const executable = (name: string, text: string) =>
    writeFileSync(path.join(host, 'bin', name), `#!/bin/sh\n${text}`, { mode: 0o755 });
  executable('kubelet', `exec ${process.execPath} ${coxswainProgram} kubelet "$@"\n`);
  executable(
    'systemctl',
    `echo "$@" >> ${host}/systemctl.log
case "$1" in
is-enabled|is-active|status) exit 0;;
start|restart)
  . /var/lib/kubelet/kubeadm-flags.env
  setsid kubelet --bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf \\
    --config=/var/lib/kubelet/config.yaml --root-dir=${host}/state --cert-dir=/var/lib/kubelet/pki \\
    $KUBELET_KUBEADM_ARGS > ${host}/kubelet.log 2>&1 < /dev/null &
  echo $! > ${host}/kubelet.pid;;
esac
`,
  );
  // The machines of the test share the control groups of this one.
  writeFileSync(
    path.join(host, 'patches', 'kubeletconfiguration+merge.yaml'),
    JSON.stringify({
      failCgroupV1: false,
      cgroupDriver: 'cgroupfs',
      ...kubeletSettingsIn(containerd.directory),
    }),
  );
  const script = `mount --make-rprivate /
mkdir -p /etc/kubernetes /var/lib/kubelet
mount --bind ${host}/etc /etc/kubernetes
mount --bind ${host}/kubelet /var/lib/kubelet
PATH=${host}/bin:$PATH
export PATH COXSWAIN_FROM_SOURCE=1
`;
  return { script, directory: host };
}

judge(
  'the original kubeadm joins a machine, on which our kubelet gets its certificate and runs pods',
  async () => {
    const host = prepareHost();
    const [, endpoint = '', hash = ''] = invitation;
    const command = `${host.script}exec ${kubeadm} join ${endpoint} --token ${token} --discovery-token-ca-cert-hash ${hash} \
--ignore-preflight-errors=all --node-name joiner --cri-socket ${containerd.endpoint} --patches ${host.directory}/patches`;
    const said = await joiner
      .runFreely({}, 'unshare', '--mount', 'bash', '-c', command)
      .catch((error: { readonly stdout?: string; readonly stderr?: string }) => {
        const log = readFileSync(path.join(host.directory, 'kubelet.log'), { encoding: 'utf8', flag: 'a+' });
        throw new Error(`${error.stdout}\n${error.stderr}\n${log}`);
      });
    expect(said).toContain('This node has joined the cluster');
    await kubectl('wait', '--for=condition=Ready', 'node/joiner', '--timeout=60s');
    const signed = await kubectl('get', 'csr', '-o', 'jsonpath={.items[*].spec.username}');
    expect(signed).toBe('system:bootstrap:abcdef');
    await kubectl(
      'run',
      'guest',
      `--image=${busyboxImage}`,
      '--image-pull-policy=IfNotPresent',
      '--',
      'sleep',
      '1000',
    );
    await kubectl('wait', '--for=condition=Ready', 'pod/guest', '--timeout=60s');
    await kubectl('delete', 'pod', 'guest', '--grace-period=1');
  },
  patienceMs,
);
