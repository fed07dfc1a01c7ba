/** The options that decide something; all others of the original are accepted. */

import { featureGateFlag } from '@coxswain/apiserver/features/feature-gate-flag.ts';
import { servingFlags } from '@coxswain/apiserver/component/serving-flags.ts';
import { versionRequest } from '@coxswain/apiserver/component/version-flag.ts';
import { bool, duration, float32, int, int32, section, string, type FlagValues } from '@coxswain/cobra';
import { restingMsMax } from './queue/queue-times.ts';

export const effectiveFlags = {
  ...section('Misc', {
    config: string({ usage: 'The file with the configuration: profiles, and how to reach the API server.' }),
    writeConfigTo: string({
      usage: 'Write the configuration, with all that is as by default, to this file, and leave.',
    }),
    master: string({ usage: 'The address of the API server, in place of the one in the kubeconfig.' }),
  }),
  ...servingFlags({ port: 10_259, toleratesLookupFailure: true }),
  ...section('Deprecated', {
    contentionProfiling: bool({
      default: true,
      usage: 'Written to the configuration; nothing here contends.',
    }),
    kubeApiContentType: string({
      default: 'application/vnd.kubernetes.protobuf',
      usage: 'Written to the configuration; JSON is spoken.',
    }),
    podMaxInUnschedulablePodsDuration: duration({
      default: restingMsMax,
      usage: 'How long a pod that no change has helped rests before it is tried again.',
    }),
    profiling: bool({ default: true, usage: 'Offer profiles of this process at /debug/pprof/.' }),
    kubeconfig: string({ usage: 'The file that tells how to reach the API server.' }),
    kubeApiQps: float32({ default: 50, usage: 'Requests a second to the API server.' }),
    kubeApiBurst: int32({ default: 100, usage: 'Requests to the API server at once.' }),
  }),
  ...section('Leader election', {
    leaderElect: bool({
      default: true,
      usage: 'Work only while holding the lease that one instance can hold.',
    }),
    leaderElectLeaseDuration: duration({
      default: 15_000,
      usage: 'How long others wait after the leader was last heard of.',
    }),
    leaderElectRenewDeadline: duration({
      default: 10_000,
      usage: 'How long the leader tries to renew before it gives up.',
    }),
    leaderElectRetryPeriod: duration({
      default: 2_000,
      usage: 'How long between two tries to get or renew the lease.',
    }),
    leaderElectResourceLock: string({ default: 'leases', usage: 'The kind of object that is held: leases.' }),
    leaderElectResourceName: string({ default: 'kube-scheduler', usage: 'The name of the lease.' }),
    leaderElectResourceNamespace: string({ default: 'kube-system', usage: 'The namespace of the lease.' }),
  }),
  ...section('Feature gate', { featureGates: featureGateFlag }),
  ...section('Global', {
    version: versionRequest({ usage: 'Print the version and leave; raw: all that is known of it.' }),
  }),
  ...section('Logs', { v: int({ usage: 'How much is logged.', shorthand: 'v' }) }),
};

export type SchedulerFlags = FlagValues<typeof effectiveFlags>;
