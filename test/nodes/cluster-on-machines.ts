/** Clusters of `coxswain` programs on machines of tests: what is said to them on the command line, and kubectl. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Containerd } from './containerd.ts';
import { kubeletSettingsIn } from './kubelet-settings.ts';
import { coxswainProgram, type Machine, type RunningProgram } from './machines.ts';

/** Of machines that join, the part before the dot and the secret. */
export const token = 'abcdef.0123456789abcdef';

export type Kubectl = (...args: readonly string[]) => Promise<string>;

/** @param directory of the server, whose kubeconfig lies there */
export const kubectlOn =
  (machine: Machine, directory: string): Kubectl =>
  (...args) =>
    coxswainOn(machine, 'kubectl', `--kubeconfig=${directory}/kubeconfig`, ...args);

/** Runs a command of `coxswain` to its end. @throws Error where it fails */
export const coxswainOn = (machine: Machine, ...args: readonly string[]): Promise<string> =>
  machine.runFreely({ COXSWAIN_FROM_SOURCE: '1' }, process.execPath, coxswainProgram, ...args);

/** Objects as a file for `kubectl apply`, since there may be many. */
export async function apply(
  kubectl: Kubectl,
  directory: string,
  ...objects: readonly object[]
): Promise<void> {
  const file = path.join(directory, 'objects.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  await kubectl('apply', '-f', file);
}

/** What keeps the parts of a node of a test apart from others on the same kernel: its runtime, directories and groups. */
export function nodeFlags(containerd: Containerd, dataDirectory: string, settings: object = {}): string[] {
  mkdirSync(dataDirectory, { recursive: true });
  return [
    `--data-dir=${dataDirectory}`,
    `--kubelet-config=${writeKubeletConfiguration(containerd, settings)}`,
    `--container-runtime-endpoint=${containerd.endpoint}`,
    `--cni-conf-dir=${containerd.networkDirectory}`,
  ];
}

function writeKubeletConfiguration({ directory }: Containerd, settings: object): string {
  const file = path.join(directory, 'kubelet.yaml');
  const configuration = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    ...kubeletSettingsIn(directory),
    ...settings,
  };
  writeFileSync(file, JSON.stringify(configuration));
  return file;
}

/** `coxswain up --node` on a machine, once it is ready. */
export async function startAllInOne(
  machine: Machine,
  containerd: Containerd,
  directory: string,
  settings: object = {},
): Promise<RunningProgram> {
  const up = machine.coxswain('up', '--node', '--in-memory', ...nodeFlags(containerd, directory, settings));
  await up.saying('Ready in');
  return up;
}

/**
 * `coxswain up --server` on a machine, once it is ready; `invitation` is what it tells others to join with.
 * @param flags of a server that is a node, too: `--node` and {@link nodeFlags}
 */
export async function startServer(
  machine: Machine,
  flags: readonly string[],
): Promise<{ readonly program: RunningProgram; readonly invitation: readonly string[] }> {
  const program = machine.coxswain('up', '--server', '--in-memory', `--token=${token}`, ...flags);
  const [, command = ''] = /coxswain (join .*)/.exec(await program.saying('Ready in')) ?? [];
  return { program, invitation: command.split(' ') };
}

/** Joins under the machine's own name. */
export const join = (
  machine: Machine,
  containerd: Containerd,
  invitation: readonly string[],
  settings: object = {},
): RunningProgram =>
  machine.coxswain(
    ...invitation,
    `--node-name=${machine.name}`,
    ...nodeFlags(containerd, path.join(containerd.directory, 'node'), settings),
  );
