/** `coxswain up`: runs a cluster with one command until it is interrupted. */

import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { commandFor, noArgs } from '@coxswain/cobra';
import { aborted, systemClock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { RecordingSwitch } from '@coxswain/trace/recording-switch.ts';
import { mustBeWritable, writePrivateFile } from '@coxswain/storage/directory/private-files.ts';
import { checkMachine } from '../nodes/check-machine.ts';
import type { Cluster, ClusterOptions, JoinableOptions } from '../cluster/cluster-options.ts';
import {
  createSharedDirectory,
  defaultDataDirectory,
  makeWritable,
  openDataDirectory,
  temporaryDataDirectory,
  type DataDirectory,
} from '../local/data-directory.ts';
import { newBootstrapToken, parseBootstrapToken } from '../joining/bootstrap-token.ts';
import { reachableAt } from '../joining/server-objects.ts';
import { newCertificateKey, uploadCertificates } from '../joining/shared-certificates.ts';
import { sharedCertificatesIn } from '../joining/shared-certificate-files.ts';
import { joinCommand, storeToken } from '../joining/stored-tokens.ts';
import { kubeletSettingsIn } from '../nodes/kubelet-settings.ts';
import { simulationHelp } from '@coxswain/simulated-nodes/behaviour/annotation-table.ts';
import type { ProgramIo } from '../program/program-io.ts';
import { announceCluster } from '../local/running-clusters.ts';
import { banner, withoutInvitation, type Invitation } from '../up/banner.ts';
import { bindAddressOf, clusterSettings } from '../up/cluster-settings.ts';
import { detachedVariable, startDetached, notifyStarter } from '../up/detached.ts';
import { mustBeFree } from '../up/free-port.ts';
import { checkRequiredFlags } from '../up/required-flags.ts';
import { usable } from '../up/usable.ts';
import { realNodeSettings } from '../up/real-node-settings.ts';
import { startIn } from '../up/start.ts';
import { upFlags, type UpFlags } from '../up/up-flags.ts';
import { nodeRecorder } from '../trace/node-recorder.ts';
import { recordToFile } from '../trace/record-to-file.ts';
import { contextNameOf, mergeContext, removeContext } from '../local/user-kubeconfig.ts';
import { coxswainVersion, kubernetesVersion } from '../program/version.ts';

const command = commandFor<ProgramIo>();

export const up = command({
  use: 'up',
  short: 'Start a cluster (the default)',
  long: `Starts the API server, storage, controllers, scheduler and nodes in this process and runs until\ninterrupted. Nodes are simulated unless --node makes this machine a node. Data is kept for the next start\nunless --in-memory is set.\n\n${simulationHelp()}`,
  example:
    '  coxswain up\n  coxswain up --detach --merge-kubeconfig\n  coxswain up --detach --wait --in-memory --port=0 --kubeconfig=kubeconfig\n  coxswain up --in-memory --port=0 --nodes=3\n  coxswain up --controllers=*,-job\n  coxswain up --node',
  args: noArgs,
  flags: upFlags,
  async run({ context: io, flags: given, changed }) {
    const startMs = systemClock.monotonic();
    // If nodes are or will be real, simulated ones only exist on request.
    const nodes = (given.node || given.server) && !changed('nodes') ? 0 : given.nodes;
    const flags = { ...given, nodes };
    checkRequiredFlags(flags, changed);
    const log = io.env[detachedVariable];
    if (flags.kubeconfig !== '') mustBeWritable(flags.kubeconfig);
    if (flags.detach && log === undefined) return startInBackground(io, flags);
    const progress = progressLine(io);
    progress('starting');
    const report = (line: string) => void io.err.write(`${line}\n`);
    const settings = await clusterSettings(flags, { log: report, print: (text) => void io.out.write(text) });
    if (flags.node) checkMachine('--node', flags.containerRuntimeEndpoint);
    const kubelet = await kubeletSettingsIn(flags.node ? flags.kubeletConfig : '');
    await mustBeFree(bindAddressOf(settings), flags.port, io.env);
    const recordings = new RecordingSwitch(() => nodeRecorder());
    const recording = flags.record === '' ? undefined : recordToFile(recordings, flags.record, systemClock);
    const directory = openDirectory(io, flags);
    try {
      const started = Promise.withResolvers<void>();
      const options = {
        ...settings,
        ...realNodeSettings(flags, kubelet, directory),
        recordings,
        processStarted: started.promise,
      };
      const cluster = await startIn({ flags, options, directory, signal: io.signal, progress, log: report });
      if (cluster !== undefined)
        await serve({
          io,
          cluster,
          directory,
          options,
          flags,
          progress,
          startMs,
          log,
          started: started.resolve,
        });
    } finally {
      directory.close();
      progress('');
      recording?.write();
    }
  },
});

const openDirectory = (io: ProgramIo, flags: UpFlags): DataDirectory =>
  isForgotten(flags)
    ? temporaryDataDirectory()
    : openDataDirectory(flags.dataDir || defaultDataDirectory(io.env));

/** The location of the log is recorded, even for a cluster in memory, so that it can be looked up later. */
async function startInBackground(io: ProgramIo, flags: UpFlags): Promise<void> {
  const directory = isForgotten(flags)
    ? createSharedDirectory(io.env)
    : path.resolve(flags.dataDir || defaultDataDirectory(io.env));
  makeWritable(directory);
  io.out.write(await startDetached(path.join(directory, 'coxswain.log'), io.signal));
}

interface Served {
  readonly io: ProgramIo;
  readonly cluster: Cluster;
  readonly directory: DataDirectory;
  readonly options: ClusterOptions;
  readonly flags: UpFlags;
  readonly progress: (what: string) => void;
  readonly startMs: number;
  /** Called when the banner has been printed. */
  readonly started: () => void;
  /** The log of a cluster that keeps running in the background. */
  readonly log: string | undefined;
}

/** Serves until the signal is aborted; resolves when the cluster has stopped. */
async function serve(served: Served): Promise<void> {
  const { io, cluster, progress } = served;
  const page = await openPage(served);
  try {
    const { flags } = served;
    if (flags.wait) {
      progress('nodes and service accounts');
      const accounts = cluster.controllers.includes('serviceaccount-controller');
      const wanted = { nodes: flags.nodes + (flags.node ? 1 : 0), accounts };
      await usable(cluster.client(), wanted, systemClock, io.signal);
    }
    if (flags.kubeconfig !== '')
      writePrivateFile(flags.kubeconfig, readFileSync(served.directory.kubeconfig, 'utf8'));
    const text = await bannerOf(served, page.line);
    progress('');
    // A log is kept for longer, and read by more people, than a terminal's output.
    io.out.write(served.log === undefined ? text : withoutInvitation(text));
    served.started();
    const withdraw = announceCluster(factsOf(served), io.env);
    if (served.log !== undefined) notifyStarter(text);
    await aborted(io.signal);
    withdraw();
    if (served.flags.mergeKubeconfig && isForgotten(served.flags)) removeContext(contextInMemory, io.env);
    progress('stopping');
  } finally {
    await page.close();
    await cluster.stop();
  }
  progress('');
  io.out.write('Stopped.\n');
}

/** The cluster works even if its page doesn't. */
async function openPage({ io, flags, directory }: Served): Promise<{
  readonly line: string | undefined;
  close(): Promise<void>;
}> {
  const none = { close: async () => {} };
  if (!flags.ui) return { ...none, line: undefined };
  try {
    const { uiOfKubeconfig } = await import('../ui/ui-of-kubeconfig.ts');
    const choice = { env: io.env, file: directory.kubeconfig, context: '' };
    const server = await uiOfKubeconfig(choice, { port: flags.uiPort, orAnother: true });
    return { line: server.link(), close: () => server.close() };
  } catch (failure) {
    return { ...none, line: `none: ${messageOf(failure)}` };
  }
}

const factsOf = ({ cluster, directory, flags, log }: Served) => ({
  since: new Date(systemClock.now()).toISOString(),
  version: coxswainVersion,
  kubernetesVersion,
  url: cluster.address ?? '',
  dataDirectory: directory.root,
  inMemory: flags.inMemory,
  kubeconfig: directory.kubeconfig,
  ...(log !== undefined && { log }),
});

async function bannerOf(served: Served, ui: string | undefined): Promise<string> {
  const { io, cluster, directory, options, flags, startMs, log } = served;
  const address = cluster.address ?? '';
  const { joinable } = options;
  const invitation = joinable && (await invite(served, joinable));
  return banner({
    invitation,
    context: flags.mergeKubeconfig ? merged(io, directory, flags) : undefined,
    ui,
    log,
    address,
    storage: storageText(flags, directory, options),
    controllers: cluster.controllers,
    nodes: nodesOf(cluster, flags),
    kubeconfig: flags.kubeconfig || directory.kubeconfig,
    startedInMs: systemClock.monotonic() - startMs,
  });
}

/** The kubeconfig of a cluster without a permanent directory is removed together with it. */
function merged(io: ProgramIo, { root, kubeconfig }: DataDirectory, flags: UpFlags): string {
  const name = isForgotten(flags) ? contextInMemory : contextNameOf(root, io.env);
  const { file } = mergeContext(kubeconfig, name, io.env);
  return `${name}, in ${file}`;
}

const contextInMemory = 'coxswain-in-memory';

const isForgotten = ({ inMemory, dataDir }: UpFlags): boolean => inMemory && dataDir === '';

const storageText = (
  { inMemory, durability }: UpFlags,
  { storage }: DataDirectory,
  { etcd }: ClusterOptions,
): string => {
  if (etcd !== undefined) return `etcd at ${etcd.servers.join(', ')}`;
  return inMemory ? 'in memory' : `LMDB in ${storage}${durability === 'sync' ? '' : ', without syncs'}`;
};

const nodesOf = ({ simulatedNodes }: Cluster, { node }: UpFlags): readonly string[] => [
  ...(node ? [`${hostname().toLowerCase()} (this machine)`] : []),
  ...simulatedNodes.map(({ name }) => `${name} (simulated)`),
];

/** Prints what to type on other machines. */
async function invite(
  { cluster, flags, directory, options }: Served,
  { endpoint, advertiseAddress }: JoinableOptions,
): Promise<Invitation> {
  const { token: wanted, tokenTtl, uploadCerts, certificateKey: wantedKey } = flags;
  const client = cluster.client();
  const token = wanted === '' ? newBootstrapToken() : parseBootstrapToken(wanted);
  const settings = { ttlMs: tokenTtl, description: 'Made by coxswain up --server.' };
  await storeToken(client, token, settings, systemClock.now());
  const node = await joinCommand(
    client,
    token,
    endpoint ?? reachableAt(advertiseAddress, cluster.address ?? ''),
  );
  if (!uploadCerts) return { node };
  const key = wantedKey || newCertificateKey();
  const certificates = sharedCertificatesIn(directory.certificates, options.etcd?.tls);
  await uploadCertificates(client, certificates, key, systemClock.now());
  return { node, server: `${node} --control-plane --certificate-key=${key}` };
}

/** A single progress line that is overwritten during the start; nothing if the output is not a terminal. */
function progressLine(io: ProgramIo): (what: string) => void {
  if (io.columns === undefined) return () => {};
  return (what) => void io.err.write(`\r\u001B[K${what === '' ? '' : `${what} …`}`);
}
