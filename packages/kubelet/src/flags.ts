/** The options that decide something for simulated nodes, too; those of real ones are in `config/flag-settings.ts`. */

import { featureGateFlag } from '@coxswain/apiserver/features/feature-gate-flag.ts';
import { float32, int, int32, string, stringSlice, stringToString, type FlagValues } from '@coxswain/cobra';
import { eventBurstDefault, eventsPerSecondDefault } from './start-simulated-kubelets.ts';

/** Pods run as records, without processes. */
export const simulatedEndpoint = 'simulated:';

export const effectiveFlags = {
  kubeconfig: string({ usage: 'The file that tells how to reach the API server.' }),
  containerRuntimeEndpoint: string({
    default: simulatedEndpoint,
    usage:
      "What runs the containers: the socket of a runtime, as unix:///run/containerd/containerd.sock, or 'simulated:' for records without processes.",
  }),
  simulatedNodes: int({
    default: 1,
    usage: 'So many simulated nodes, <name>-0, <name>-1, … when more than one.',
  }),
  hostnameOverride: string({ usage: 'The name of the node; the name of this machine when empty.' }),
  nodeIp: string({ usage: 'The address of the node.' }),
  nodeLabels: stringToString({ usage: 'Labels that the node registers with.' }),
  registerWithTaints: stringSlice({ usage: 'Taints that the node registers with: <key>=<value>:<effect>.' }),
  maxPods: int32({ default: 110, usage: 'How many pods the node takes.' }),
  podCidr: string({ usage: 'From where pods get addresses.' }),
  eventQps: int32({ default: eventsPerSecondDefault, usage: 'Events a second; 0 for no limit.' }),
  eventBurst: int32({ default: eventBurstDefault, usage: 'Events at once.' }),
  kubeApiQps: float32({ default: 0, usage: 'Requests a second to the API server; 0 for no limit.' }),
  kubeApiBurst: int32({ default: 100, usage: 'Requests to the API server at once.' }),
  featureGates: featureGateFlag,
  v: int({ usage: 'How much is logged.', shorthand: 'v' }),
};

export type KubeletFlags = FlagValues<typeof effectiveFlags>;
