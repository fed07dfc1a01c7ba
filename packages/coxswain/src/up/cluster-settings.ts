/** Converts the flags of `coxswain up` to options for the cluster. All flags are validated here. */

import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { pathToFileURL } from 'node:url';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { SchedulerPlugin } from '@coxswain/kube-scheduler';
import type { EtcdSettings } from '@coxswain/kube-apiserver/etcd-settings.ts';
import { defaultAddress } from '@coxswain/kubelet/node/machine.ts';
import { DefinedImages } from '@coxswain/simulated-nodes/program/defined-images.ts';
import { systemReason } from '@coxswain/storage/directory/private-files.ts';
import { addonsNamed, type AddonName } from '../addons/addon-names.ts';
import { clusterDnsAddress } from '../components/cluster-addresses.ts';
import type { ClusterOptions, JoinableOptions } from '../cluster/cluster-options.ts';
import { withLegacyApis } from './legacy-apis.ts';
import { parseBootstrapToken } from '../joining/bootstrap-token.ts';
import { checkCertificateKey } from '../joining/shared-certificates.ts';
import type { UpFlags } from './up-flags.ts';

/** Where the API server's audit events and warnings go. */
export interface LogRim {
  readonly log: (line: string) => void;
  readonly print: (text: string) => void;
}

/** Long enough for a client to observe the deletion of a pod. */
const containerStopMs = 100;

/** Kubernetes keeps five minutes: too little to look back in the web UI, or for `coxswain history`. */
const history = { ms: 60 * 60 * 1000, revisionsMax: 100_000 };

/** @throws Error naming the invalid flag, before anything is created or started */
export async function clusterSettings(flags: UpFlags, rim: LogRim): Promise<ClusterOptions> {
  const [{ enabledControllers }, scheduler, kwok, images, apiServer] = await Promise.all([
    import('@coxswain/kube-controller-manager'),
    schedulerSettings(flags),
    kwokObjectsIn(flags.stages),
    imagesIn(flags.images),
    apiServerSettings(flags, rim),
  ]);
  enabledControllers(flags.controllers);
  const joinable = joinableOf(flags);
  const etcd = etcdOf(flags);
  return {
    port: flags.port,
    threads: flags.threads,
    history,
    servesMetrics: flags.metrics,
    leaderElection: true,
    nodes: flags.nodes,
    addons: addonsOf(flags),
    networkPolicies: flags.networkPolicies,
    ...((flags.node || flags.server) && {
      names: {
        address: ownAddress(flags) || flags.advertiseAddress || '127.0.0.1',
        clusterIp: clusterDnsAddress,
      },
    }),
    ...(joinable && { joinable }),
    ...(etcd && { etcd }),
    ...servingFor(flags),
    containerStopMs,
    controllers: flags.controllers,
    ...scheduler,
    ...(kwok && { kwok }),
    ...(images && { images }),
    ...(flags.kubernetesVersion !== '' && { version: flags.kubernetesVersion }),
    ...apiServer,
  };
}

async function apiServerSettings(flags: UpFlags, rim: LogRim) {
  const { clusterFlagSettings } = await import('@coxswain/kube-apiserver/flags/cluster-flag-settings.ts');
  const settings = clusterFlagSettings(withLegacyApis(flags), flags.kubernetesVersion, rim);
  if (settings.audit !== undefined && flags.threads > 1)
    throw new Error('--audit-policy-file requires --threads=1: other threads have no audit log');
  return settings;
}

/** Real machines have their own storage, and their own addresses. */
function addonsOf({ addons, node, server }: UpFlags): readonly AddonName[] {
  const named = addonsNamed(addons);
  return node || server ? [] : named;
}

async function schedulerSettings(flags: UpFlags) {
  if (flags.schedulerConfig === '' && flags.schedulerPlugins === '') return {};
  const { pluginFactory, usableConfiguration } = await import('@coxswain/kube-scheduler');
  const added = await imported('--scheduler-plugins', flags.schedulerPlugins, (plugins) => {
    if (!Array.isArray(plugins)) throw new Error('the default export must be a list of plugins');
    const schedulerPlugins = plugins as readonly SchedulerPlugin[];
    return { schedulerPlugins, factories: schedulerPlugins.map(pluginFactory) };
  });
  const schedulerConfiguration = await parsed('--scheduler-config', flags.schedulerConfig, (text) =>
    usableConfiguration(text, added?.factories),
  );
  return {
    ...(added && { schedulerPlugins: added.schedulerPlugins }),
    ...(schedulerConfiguration && { schedulerConfiguration }),
  };
}

const kwokObjectsIn = (file: string) =>
  parsed('--stages', file, async (text) => (await import('../stages/kwok-objects.ts')).parseKwok(text));

const imagesIn = (file: string) =>
  imported('--images', file, (definitions) => {
    const images = new DefinedImages();
    if (typeof definitions !== 'object' || definitions === null)
      throw new Error('the default export must be an object with images by name');
    for (const [name, definition] of Object.entries(definitions)) images.define(name, definition);
    return images;
  });

/** Uses the default export of a module. Undefined without a file. @throws Error naming flag and file */
async function imported<T>(flag: string, file: string, use: (value: unknown) => T): Promise<T | undefined> {
  if (file === '') return undefined;
  // Node's message about a missing module names the importing module of Coxswain.
  await readFile(file).catch(refusing(flag, file, systemReason));
  try {
    const module = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
    return use(module.default);
  } catch (cause) {
    return refusing(flag, file, messageOf)(cause);
  }
}

/** Undefined without a file. @throws Error naming flag and file */
async function parsed<T>(
  flag: string,
  file: string,
  parse: (text: string) => Promise<T>,
): Promise<T | undefined> {
  if (file === '') return undefined;
  const reason = (cause: unknown) => systemReason(cause).trim().replaceAll(/\s+/g, ' ');
  return await readFile(file, 'utf8')
    .then(parse)
    .catch(refusing(flag, file, reason));
}

const refusing =
  (flag: string, file: string, reasonOf: (cause: unknown) => string) =>
  (cause: unknown): never => {
    throw new Error(`${flag} ${file}: ${reasonOf(cause)}`, { cause });
  };

/** @throws Error if other machines could not reach it */
function joinableOf(flags: UpFlags): JoinableOptions | undefined {
  if (!flags.server) return undefined;
  const { bindAddress, clusterCidr: podRange, cniConfDir } = flags;
  const advertiseAddress = flags.advertiseAddress || ownAddress(flags);
  if (advertiseAddress === '')
    throw new Error('--server could not determine an address of this machine: set --advertise-address');
  if (flags.token !== '') parseBootstrapToken(flags.token);
  const endpoint = endpointOf(flags);
  return {
    ...(endpoint !== undefined && { endpoint }),
    bindAddress: bindAddress || '0.0.0.0',
    advertiseAddress,
    podRange,
    ...(flags.node && { networkDirectory: cniConfDir }),
  };
}

/** @throws Error naming a flag that is invalid, or that requires another one */
function etcdOf(flags: UpFlags): EtcdSettings | undefined {
  const { etcdServers: servers, etcdCafile: caFile, etcdCertfile: certFile, etcdKeyfile: keyFile } = flags;
  if (flags.certificateKey !== '') checkCertificateKey(flags.certificateKey);
  if (servers.length === 0) return undefined;
  if (flags.inMemory) throw new Error('--etcd-servers and --in-memory exclude each other');
  const strange = servers.find((server) => !/^https?:\/\/[^/]+:\d+\/?$/.test(server));
  if (strange !== undefined)
    throw new Error(`--etcd-servers: "${strange}" must be http://ADDRESS:PORT or https://ADDRESS:PORT`);
  const tls = {
    ...(caFile !== '' && { caFile }),
    ...(certFile !== '' && { certFile }),
    ...(keyFile !== '' && { keyFile }),
  };
  return { servers, ...(Object.keys(tls).length > 0 && { tls }) };
}

/** @throws Error naming the flag */
function endpointOf({ controlPlaneEndpoint: text, port }: UpFlags): string | undefined {
  if (text === '') return undefined;
  const url = URL.parse(`https://${text}`);
  if (url === null || url.pathname !== '/' || url.search !== '')
    throw new Error(`--control-plane-endpoint: "${text}" must be HOST or HOST:PORT`);
  return `https://${url.hostname}:${/:\d+$/.test(text) ? url.port || '443' : port}`;
}

/** Real pods reach the API server at an address of this machine; with 127.0.0.1 they would reach themselves. */
function servingFor(flags: UpFlags): { bindAddress?: string; advertiseAddress?: string } {
  const { bindAddress, node, server } = flags;
  const advertiseAddress = flags.advertiseAddress || ownAddress(flags);
  if (!node || server || advertiseAddress === '') return bindAddress === '' ? {} : { bindAddress };
  return { bindAddress: bindAddress || '0.0.0.0', advertiseAddress };
}

const ownAddress = ({ nodeIp }: UpFlags): string => nodeIp || (defaultAddress() ?? '');

/** The names and addresses by which clients and joining machines reach the server, for its certificate. */
export function servedHosts(options: ClusterOptions, { tlsSan }: UpFlags): readonly string[] {
  const { advertiseAddress, joinable } = options;
  const joined = joinable && [joinable.advertiseAddress, hostname().toLowerCase()];
  const endpoint = joinable?.endpoint === undefined ? [] : [hostOf(joinable.endpoint)];
  const addresses = [bindAddressOf(options), advertiseAddress ?? '', ...(joined ?? []), ...endpoint];
  return [...new Set([...addresses, ...tlsSan])].filter((host) => !['', '0.0.0.0', '::'].includes(host));
}

const hostOf = (url: string): string => new URL(url).hostname.replaceAll(/[[\]]/g, '');

/** The address at which HTTPS is served. */
export const bindAddressOf = ({ bindAddress, joinable }: ClusterOptions): string =>
  joinable?.bindAddress ?? bindAddress ?? '127.0.0.1';
