/** The options that have an effect; all other upstream options are accepted and ignored. */

import { leaderElectionFlags } from '@coxswain/component-base/leader-election/leader-election-flags.ts';
import { featureGateFlag } from '@coxswain/component-base/features/feature-gate-flag.ts';
import { servingFlags } from '@coxswain/apiserver/component/serving-flags.ts';
import { emulatedVersionFlag, minCompatibilityVersionFlag } from '@coxswain/component-base/version-flags.ts';
import { versionRequest } from '@coxswain/component-base/version-flag.ts';
import { bool, duration, float32, int, int32, section, string, type FlagValues } from '@coxswain/cobra';
import { restingMsMax } from './queue/queue-times.ts';

export const effectiveFlags = {
  ...section('Misc', {
    config: string({ usage: 'The path to the configuration file.' }),
    writeConfigTo: string({
      usage: 'Write the complete configuration, defaults included, to this file and exit.',
    }),
    master: string({ usage: 'The address of the API server. Overrides the one in the kubeconfig.' }),
  }),
  ...servingFlags({ port: 10_259, toleratesLookupFailure: true }),
  ...section('Deprecated', {
    contentionProfiling: bool({
      default: true,
      usage: 'Written to the configuration, otherwise ignored: there is no lock contention to profile.',
    }),
    kubeApiContentType: string({
      default: 'application/vnd.kubernetes.protobuf',
      usage: 'Written to the configuration, otherwise ignored: requests use JSON.',
    }),
    podMaxInUnschedulablePodsDuration: duration({
      default: restingMsMax,
      usage: 'The maximum time that a pod stays in the unschedulable queue before it is tried again.',
    }),
    profiling: bool({ default: true, usage: 'Serve profiles of this process at /debug/pprof/.' }),
    kubeconfig: string({
      usage: 'The kubeconfig file with the address of the API server and the credentials for it.',
    }),
    kubeApiQps: float32({
      default: 50,
      usage: 'The maximum number of requests to the API server per second.',
    }),
    kubeApiBurst: int32({ default: 100, usage: 'The maximum burst of requests to the API server.' }),
  }),
  ...section('Leader election', {
    ...leaderElectionFlags,
    leaderElectResourceLock: string({
      default: 'leases',
      usage: 'The type of resource used for locking. Only leases is supported.',
    }),
    leaderElectResourceName: string({ default: 'kube-scheduler', usage: 'The name of the lease.' }),
    leaderElectResourceNamespace: string({ default: 'kube-system', usage: 'The namespace of the lease.' }),
  }),
  ...section('Feature gate', {
    emulatedVersion: emulatedVersionFlag,
    featureGates: featureGateFlag,
    minCompatibilityVersion: minCompatibilityVersionFlag,
  }),
  ...section('Global', {
    version: versionRequest({
      usage: 'Print the version and exit; --version=raw prints all version information.',
    }),
  }),
  ...section('Logs', { v: int({ usage: 'The log verbosity.', shorthand: 'v' }) }),
};

export type SchedulerFlags = FlagValues<typeof effectiveFlags>;
