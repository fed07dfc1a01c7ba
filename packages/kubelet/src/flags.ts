/** The options that also affect simulated nodes; those of real ones are in `config/flag-settings.ts`. */

import { featureGateFlag } from '@coxswain/component-base/features/feature-gate-flag.ts';
import { float32, int, int32, string, stringSlice, stringToString, type FlagValues } from '@coxswain/cobra';
import { eventBurstDefault, eventsPerSecondDefault } from './event-limits.ts';

/** Pods exist only as records, without processes. */
export const simulatedEndpoint = 'simulated:';

export const effectiveFlags = {
  kubeconfig: string({
    usage: 'The kubeconfig file with the address of the API server and the credentials for it.',
  }),
  containerRuntimeEndpoint: string({
    default: simulatedEndpoint,
    usage:
      "The socket of the container runtime, such as unix:///run/containerd/containerd.sock, or 'simulated:' for simulated containers.",
  }),
  simulatedNodes: int({
    default: 1,
    usage: 'The number of simulated nodes. If more than one, they are named <name>-0, <name>-1 and so on.',
  }),
  hostnameOverride: string({ usage: 'The name of the node. Defaults to the host name.' }),
  nodeIp: string({ usage: 'The IP address of the node.' }),
  nodeLabels: stringToString({ usage: 'Labels to register the node with.' }),
  registerWithTaints: stringSlice({ usage: 'Taints to register the node with, as <key>=<value>:<effect>.' }),
  maxPods: int32({ default: 110, usage: 'The maximum number of pods on the node.' }),
  podCidr: string({ usage: 'The range of pod IP addresses.' }),
  eventQps: int32({
    default: eventsPerSecondDefault,
    usage: 'The maximum number of events per second. 0 means no limit.',
  }),
  eventBurst: int32({ default: eventBurstDefault, usage: 'The maximum burst of events.' }),
  kubeApiQps: float32({
    default: 0,
    usage: 'The maximum number of requests to the API server per second. 0 means no limit.',
  }),
  kubeApiBurst: int32({ default: 100, usage: 'The maximum burst of requests to the API server.' }),
  featureGates: featureGateFlag,
  v: int({ usage: 'The log verbosity.', shorthand: 'v' }),
};

export type KubeletFlags = FlagValues<typeof effectiveFlags>;
