/** The options that decide something. */
import { bool, duration, int, section, string, stringSlice, type FlagValues } from '@coxswain/cobra';
import { observabilityFlags } from '../observability/observability-flags.ts';
import { auditFlags } from '../audit/audit-flags.ts';
import { admissionFlags } from './admission-flags.ts';
import { authenticationFlags } from './authentication-flags.ts';
import { authorizationFlags } from './authorization-flags.ts';
import { storageFlags } from './storage-flags.ts';
import { versionRequest } from '@coxswain/apiserver/component/version-flag.ts';
import { settingPairs } from './flag-kinds.ts';
import { genericFlags } from './generic-flags.ts';
import { miscFlags } from './misc-flags.ts';
import { servingFlags } from './serving-flags.ts';

export const effectiveFlags = {
  ...genericFlags,
  ...section('Storage', {
    dataDir: string({
      usage: 'The directory of the embedded store. Without it and --etcd-servers nothing is kept.',
    }),
    durability: string({
      default: 'sync',
      usage:
        "When a write to the embedded store is answered: 'sync' when the disk has it, 'relaxed' when the operating system has it.",
    }),
    threads: int({
      usage:
        'How many threads serve requests: the main one, and others for requests that are so large that they would hold it up. 0: as many as the machine has processors, two at least and five at most; 1: only the main one.',
    }),
    quotaBackendBytes: int({
      default: 8 * 1024 ** 3,
      usage:
        'The size at which the embedded store takes no more writes but deletes, in bytes. 0 for no bound.',
    }),
    unsafeNoFsync: bool({ usage: 'Acknowledge writes before they are safe from a loss of power.' }),
  }),
  ...section('Etcd', {
    etcdCompactionInterval: duration({
      default: 300_000,
      usage: 'How long the past is kept, for watches and pages of lists; 0 keeps it until somebody compacts.',
    }),
    watchCache: bool({ default: true, usage: 'Let watches begin further in the past than the store goes.' }),
    watchCacheSizes: stringSlice({
      usage:
        'Pairs resource[.group]#size; of a resource with size 0 no past is kept beside that of the store.',
    }),
  }),
  ...storageFlags,
  ...servingFlags,
  ...auditFlags,
  ...section('Features', {
    enablePriorityAndFairness: bool({
      default: true,
      usage: 'Share what is worked on at once fairly among clients, by priority levels and flow schemas.',
    }),
  }),
  ...authenticationFlags,
  ...authorizationFlags,
  ...section('Egress selector', {
    egressSelectorConfigFile: string({
      usage:
        'The file that says which proxies connections to the cluster, the control plane and etcd go through.',
    }),
  }),
  ...section('API enablement', {
    runtimeConfig: settingPairs({
      usage:
        'Pairs group/version=bool, or api/all=bool, that switch versions on and off; api/legacy=true serves those of Kubernetes 1.20 too.',
    }),
  }),
  ...admissionFlags,
  ...observabilityFlags,
  ...miscFlags,
  ...section('Global', {
    version: versionRequest({ usage: 'Print the version and leave; raw: all that is known of it.' }),
  }),
};

export type ApiServerFlags = FlagValues<typeof effectiveFlags>;
