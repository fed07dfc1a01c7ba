/** A containerd of its own for one test: its state, its socket, its network and its images, all gone in the end. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '@coxswain/apimachinery';
import { removePods } from '@coxswain/kubelet/cri/remove-pods.ts';
import { claimAddressRange } from './address-range.ts';
import { busyboxImage, pauseImage, writeImageArchive, type ImageConfig } from './busybox-image.ts';
import { cgroupOf } from './kubelet-settings.ts';
import { Belongings } from './belongings.ts';
import { inNamespaces, killAll, uniqueName } from './namespaces.ts';

/** Why real containers can't be run here; undefined when they can. */
export function whyNoContainers(): string | undefined {
  if (process.platform !== 'linux') return 'not Linux';
  if (process.getuid?.() !== 0) return 'not root';
  for (const program of ['containerd', 'ctr', 'runc', 'busybox', 'ip'])
    if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0) return `${program} is not installed`;
  // Root of a container that may make no namespaces can't make containers, either.
  if (spawnSync('unshare', ['--mount', '--net', 'true']).status !== 0) return 'no right to make namespaces';
  return existsSync('/usr/lib/cni/bridge') ? undefined : 'no CNI plugins';
}

export interface Containerd {
  readonly directory: string;
  readonly endpoint: string;
  readonly bridge: string;
  /** Where it looks for the network of pods. */
  readonly networkDirectory: string;
  ctr(...args: string[]): string;
  importImage(name: string, config: ImageConfig): void;
  stop(): Promise<void>;
}

export interface ContainerdOptions {
  /** A network namespace to run in; that of the test when absent. */
  readonly networkNamespace?: string;
  /** No network for pods until somebody configures one. */
  readonly hasNoNetwork?: boolean;
  /** Where images of other registries are pulled from: by the name of the registry, `http://127.0.0.1:5000`. */
  readonly mirrors?: Readonly<Record<string, string>>;
}

const belongings = new Belongings('containerd');

export async function startContainerd(options: ContainerdOptions = {}): Promise<Containerd> {
  for (const [name, bridge] of belongings.takeAbandoned()) removeAbandoned(path.join(tmpdir(), name), bridge);
  const directory = mkdtempSync(path.join(tmpdir(), 'cox-cri-'));
  // Users of pods must reach the root of their containers.
  chmodSync(directory, 0o711);
  const bridge = uniqueName();
  belongings.add(path.basename(directory), bridge);
  const range = options.hasNoNetwork ? undefined : claimAddressRange();
  const socket = path.join(directory, 'containerd.sock');
  const paths = { conf: path.join(directory, 'cni'), data: path.join(directory, 'cni-data') };
  for (const each of [...Object.values(paths), path.join(directory, 'root'), path.join(directory, 'state')])
    mkdirSync(each, { recursive: true });
  if (range !== undefined)
    writeFileSync(
      path.join(paths.conf, '10-bridge.conflist'),
      JSON.stringify(network(bridge, paths.data, range.cidr)),
    );
  writeMirrors(path.join(directory, 'hosts'), options.mirrors ?? {});
  const config = path.join(directory, 'config.toml');
  writeFileSync(config, configuration(directory, socket, paths.conf));
  const command = ['containerd', '--config', config, '--log-level', 'warn'];
  const [program = '', ...args] = [...inNamespaces(options.networkNamespace), ...command];
  const daemon = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let log = '';
  daemon.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-20_000)));
  const ctr = (...args: string[]): string =>
    execFileSync('ctr', ['-a', socket, '-n', 'k8s.io', ...args], { encoding: 'utf8', stdio: 'pipe' });
  await until(
    () => existsSync(socket) && spawnSync('ctr', ['-a', socket, 'version']).status === 0,
    () => log,
  );
  const importImage: Containerd['importImage'] = (name, image) => {
    const archive = writeImageArchive(mkdtempSync(path.join(directory, 'image-')), name, image);
    ctr('images', 'import', archive);
  };
  importImage(busyboxImage, { Cmd: ['sh'] });
  importImage(pauseImage, { Entrypoint: ['/bin/busybox', 'sleep', '2147483647'] });
  return {
    directory,
    endpoint: `unix://${socket}`,
    bridge,
    networkDirectory: paths.conf,
    ctr,
    importImage,
    async stop() {
      // What a test that failed has left running, and its network.
      await removePods(`unix://${socket}`, systemClock);
      const ended = new Promise((resolve) => daemon.once('exit', resolve));
      daemon.kill('SIGTERM');
      await ended;
      cleanUp(directory, bridge);
      belongings.delete(path.basename(directory));
      range?.release();
    },
  };
}

const network = (bridge: string, dataDir: string, subnet: string) => ({
  cniVersion: '1.0.0',
  name: bridge,
  plugins: [
    {
      type: 'bridge',
      bridge,
      isGateway: true,
      ipMasq: false,
      hairpinMode: true,
      ipam: {
        type: 'host-local',
        dataDir,
        ranges: [[{ subnet }]],
        routes: [{ dst: '0.0.0.0/0' }],
      },
    },
  ],
});

function writeMirrors(directory: string, mirrors: Readonly<Record<string, string>>): void {
  for (const [registry, mirror] of Object.entries(mirrors)) {
    mkdirSync(path.join(directory, registry), { recursive: true });
    const host = `[host."${mirror}"]\n  capabilities = ["pull", "resolve"]\n`;
    writeFileSync(path.join(directory, registry, 'hosts.toml'), `server = "${mirror}"\n${host}`);
  }
}

const configuration = (directory: string, socket: string, cniConf: string): string => `
version = 2
root = "${directory}/root"
state = "${directory}/state"
disabled_plugins = ["io.containerd.internal.v1.opt", "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.devmapper"]
[grpc]
  address = "${socket}"
[ttrpc]
  address = "${socket}.ttrpc"
[plugins."io.containerd.grpc.v1.cri"]
  restrict_oom_score_adj = true
  netns_mounts_under_state_dir = true
  sandbox_image = "${pauseImage}"
  stream_server_address = "127.0.0.1"
  stream_server_port = "0"
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = "${directory}/hosts"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${cniConf}"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
`;

async function until(isReady: () => boolean, log: () => string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (isReady()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`containerd does not answer: ${log()}`);
}

/** Of a run that was killed: its containerd and nodes go on, and so do the pods. */
function removeAbandoned(directory: string, bridge: string): void {
  killAll(processesWith(directory));
  for (const group of groupsOf(cgroupOf(directory))) {
    const { stdout } = spawnSync('find', [group, '-name', 'cgroup.procs', '-exec', 'cat', '{}', '+'], {
      encoding: 'utf8',
    });
    killAll(stdout.split('\n').map(Number));
  }
  cleanUp(directory, bridge);
}

/** What a test that failed may have left: shims, mounts, interfaces. */
function cleanUp(directory: string, bridge: string): void {
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((mount) => mount.startsWith(`${directory}/`));
  killAll(processesWith(directory, 'containerd-shim'));
  for (const mount of mounts.reverse()) spawnSync('umount', ['-l', mount]);
  spawnSync('ip', ['link', 'delete', bridge]);
  removeGroups(cgroupOf(directory));
  removeLogLinks(directory);
  rmSync(directory, { recursive: true, force: true });
}

/** Of a kubelet that had no directory of its own for them. */
function removeLogLinks(directory: string): void {
  for (const link of logLinksInto(directory)) rmSync(link, { force: true });
}

/** The links on this machine to logs below a test's directory. */
export function logLinksInto(directory: string): readonly string[] {
  if (!existsSync(machineLogs)) return [];
  return readdirSync(machineLogs)
    .map((name) => path.join(machineLogs, name))
    .filter((link) => readLink(link).startsWith(`${directory}/`));
}

const machineLogs = '/var/log/containers';

/** Another run may take its own away meanwhile. */
function readLink(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

/** Processes whose command line has all of these. */
const processesWith = (...texts: readonly string[]): readonly number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .filter((pid) => {
      const commandLine = readIfThere(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
      return texts.every((text) => commandLine.includes(text));
    });

/** Processes come and go. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The groups below the test's own root, named as its directory, which a kubelet leaves for its next life. */
function removeGroups(cgroup: string): void {
  for (const group of groupsOf(cgroup))
    spawnSync('find', [group, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';']);
}

/** With control groups of version 1 there is one for each controller. */
const groupsOf = (cgroup: string): readonly string[] =>
  ['', ...readdirSync('/sys/fs/cgroup')]
    .map((controller) => path.join('/sys/fs/cgroup', controller, cgroup))
    .filter((group) => existsSync(group));
