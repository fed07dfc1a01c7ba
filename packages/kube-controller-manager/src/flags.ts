/** The options that decide something; all others of the original are accepted. */

import { servingFlags } from '@coxswain/apiserver/component/serving-flags.ts';
import { bool, duration, float32, int32, section, string, stringSlice } from '@coxswain/cobra';
import type { FlagValues } from '@coxswain/cobra';
import { defaultSettings } from './settings.ts';

export const effectiveFlags = {
  ...section('Generic', {
    controllers: stringSlice({
      default: ['*'],
      usage: "Controllers to run: '*' for all that are on by default, 'foo' for one, '-foo' for all but one.",
    }),
    useServiceAccountCredentials: bool({ usage: 'Let each controller write as its own service account.' }),
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
    leaderElectResourceName: string({ default: 'kube-controller-manager', usage: 'The name of the lease.' }),
    leaderElectResourceNamespace: string({ default: 'kube-system', usage: 'The namespace of the lease.' }),
    nodeMonitorPeriod: duration({
      default: defaultSettings.nodeMonitorPeriodMs,
      usage: 'How often nodes are looked after.',
    }),
  }),
  ...servingFlags({ port: 10_257, toleratesLookupFailure: false }),
  ...section('Garbage-collector-controller', {
    enableGarbageCollector: bool({ default: true, usage: 'Delete objects whose owners are gone.' }),
  }),
  ...section('Horizontal-pod-autoscaler-controller', {
    horizontalPodAutoscalerSyncPeriod: duration({
      default: defaultSettings.horizontalSyncPeriodMs,
      usage: 'How often the number of pods is reconsidered.',
    }),
  }),
  ...section('Node-lifecycle-controller', {
    nodeEvictionRate: float32({
      default: defaultSettings.nodeEvictionRate,
      usage: 'Nodes a second whose pods are evicted.',
    }),
    nodeMonitorGracePeriod: duration({
      default: defaultSettings.nodeMonitorGracePeriodMs,
      usage: 'How long a node may be silent before it counts as unhealthy.',
    }),
    nodeStartupGracePeriod: duration({
      default: defaultSettings.nodeStartupGracePeriodMs,
      usage: 'How long a new node may be silent.',
    }),
  }),
  ...section('Pod-garbage-collector-controller', {
    terminatedPodGcThreshold: int32({
      default: defaultSettings.terminatedPodsMax,
      usage: 'Finished pods that are kept; 0 or less for all.',
    }),
  }),
  ...section('Resourcequota-controller', {
    resourceQuotaSyncPeriod: duration({
      default: defaultSettings.resourceQuotaSyncPeriodMs,
      usage: 'How often the use of every quota is counted anew.',
    }),
  }),
  ...section('Serviceaccount-controller', {
    rootCaFile: string({ usage: 'The authority that pods are to trust the API server by.' }),
  }),
  ...section('Misc', {
    kubeconfig: string({ usage: 'The file that tells how to reach the API server.' }),
    master: string({ usage: "The API server's address, over what the file says." }),
  }),
};

export type ManagerFlags = FlagValues<typeof effectiveFlags>;
