/** The flags that have an effect. */
import { bool, duration, int, section, string, stringSlice, type FlagValues } from '@coxswain/cobra';
import { observabilityFlags } from '../observability/observability-flags.ts';
import { auditFlags } from '../audit/audit-flags.ts';
import { admissionFlags } from './admission-flags.ts';
import { authenticationFlags } from './authentication-flags.ts';
import { authorizationFlags } from './authorization-flags.ts';
import { storageFlags } from './storage-flags.ts';
import { versionRequest } from '@coxswain/component-base/version-flag.ts';
import { settingPairs } from '../flag-kinds.ts';
import { genericFlags } from './generic-flags.ts';
import { miscFlags } from './misc-flags.ts';
import { servingFlags } from './serving-flags.ts';

export const effectiveFlags = {
  ...genericFlags,
  ...section('Storage', {
    dataDir: string({
      usage:
        'The directory of the embedded store. If neither this nor --etcd-servers is set, data is kept in memory only.',
    }),
    durability: string({
      default: 'sync',
      usage:
        "When a write to the embedded store is acknowledged: 'sync' once it is on disk, 'relaxed' once the operating system has it.",
    }),
    threads: int({
      default: 1,
      usage:
        'The number of threads that accept connections and serve requests. 1 means the main thread; with more, the main thread keeps the store for them. Requests that would block others are always served by further threads, which start when needed.',
    }),
    quotaBackendBytes: int({
      default: 8 * 1024 ** 3,
      usage: 'The size in bytes at which the embedded store accepts only deletes. 0 means no limit.',
    }),
    unsafeNoFsync: bool({ usage: 'Acknowledge writes before they are safe from a power failure.' }),
  }),
  ...section('Etcd', {
    etcdCompactionInterval: duration({
      default: 300_000,
      usage:
        'How long history is kept for watches and paginated lists. 0 disables compaction by this server.',
    }),
    watchCache: bool({
      default: true,
      usage: 'Cache recent events so that watches can start further in the past than the store allows.',
    }),
    watchCacheSizes: stringSlice({
      usage:
        'Cache sizes of individual resources, as resource[.group]#size. A size of 0 disables the event cache of that resource.',
    }),
  }),
  ...storageFlags,
  ...servingFlags,
  ...auditFlags,
  ...section('Features', {
    enablePriorityAndFairness: bool({
      default: true,
      usage: 'Share the capacity of the server fairly among clients, by flow schemas and priority levels.',
    }),
  }),
  ...authenticationFlags,
  ...authorizationFlags,
  ...section('Egress selector', {
    egressSelectorConfigFile: string({
      usage:
        'The file that configures the proxies for connections to the cluster, the control plane and etcd.',
    }),
  }),
  ...section('API enablement', {
    runtimeConfig: settingPairs({
      usage:
        'API versions to enable or disable, as group/version=bool or api/all=bool. api/legacy=true also serves those of Kubernetes 1.20.',
    }),
  }),
  ...admissionFlags,
  ...observabilityFlags,
  ...miscFlags,
  ...section('Global', {
    version: versionRequest({
      usage: 'Print the version and exit; --version=raw prints all version information.',
    }),
  }),
};

export type ApiServerFlags = FlagValues<typeof effectiveFlags>;
