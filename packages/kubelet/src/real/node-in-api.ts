/** The node's representation in the API: what the kubelet reports, and how often. */
import type { Clock, KubeObject, Random } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import { Informer } from '@coxswain/client';
import { NodeAgent } from '../node/node-agent.ts';
import { NodeDescription } from '../node/node-description.ts';
import type { NodeState } from '../node/node-state.ts';
import type { Plugins } from '../plugins/start-plugins.ts';
import type { RealKubeletOptions } from '../config/real-kubelet-options.ts';
import type { NodeEnvironment } from './node-environment.ts';

export interface NodeParts {
  readonly environment: NodeEnvironment;
  readonly state: NodeState;
  readonly plugins: Plugins;
  readonly clock: Clock;
  readonly random: Random;
  readonly onError: (error: unknown) => void;
}

export interface NodeInApi {
  readonly agent: NodeAgent;
  /**
   * The node as stored in the API, including changes by others since the kubelet last wrote; undefined before it
   * exists.
   */
  seen(): (Node & KubeObject) | undefined;
  /** Follows changes to the node by others, until the signal aborts. */
  follow(): Promise<void>;
}

export function nodeInApi(options: RealKubeletOptions, parts: NodeParts): NodeInApi {
  const { client, settings, signal, nodeName, nodeIps, labels = {} } = options;
  const { environment, state, plugins, clock, random, onError } = parts;
  const { cri, machine, capacity, allocatable, runtime } = environment;
  const description = new NodeDescription({
    state,
    cri,
    clock,
    settings,
    machine,
    capacity,
    allocatable,
    nodeName,
    nodeIps,
    labels,
    runtimeVersion: runtime.reported,
    volumesInUse: () => plugins.csi.inUse(),
    devices: () => plugins.devices.amounts(),
  });
  const agent = new NodeAgent({
    // Whatever else waits for its turn, the node remains alive.
    client: client.with({ rateLimiter: { wait: () => Promise.resolve() } }),
    clock,
    random,
    signal,
    onError,
    spec: { name: nodeName, podCidr: settings.podCIDR, address: nodeIps[0] ?? '' },
    runtimeVersion: runtime.reported,
    describe: () => description.node(),
    pace: {
      leaseDurationSeconds: settings.nodeLeaseDurationSeconds,
      statusCheckEveryMs: settings.nodeStatusUpdateFrequency,
      statusReportEveryMs: settings.nodeStatusReportFrequency,
    },
  });
  const informer = new Informer<Node & KubeObject>({
    resource: client.resource('v1', 'nodes'),
    fieldSelector: `metadata.name=${nodeName}`,
    clock,
    random,
    onError,
  });
  state.onChange(() => agent.refresh());
  return {
    agent,
    seen: () => informer.lister.get(nodeName) ?? agent.node,
    follow: () => informer.run(signal),
  };
}
