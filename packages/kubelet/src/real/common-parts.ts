/** What all parts of a real kubelet share; created first, and filled while the node starts. */
import { systemClock, systemRandom, type Clock, type KubeObject, type Random } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import { Informer } from '@coxswain/client';
import { NodeState } from '../node/node-state.ts';
import { NodePods } from '../worker/node-pods.ts';
import type { RealKubeletOptions } from '../config/real-kubelet-options.ts';
import { readNodeEnvironment, type NodeEnvironment } from './node-environment.ts';
import { nodeEvents, type NodeEvents } from './node-events.ts';

export interface CommonParts extends NodeEvents {
  readonly clock: Clock;
  readonly random: Random;
  readonly onError: (error: unknown) => void;
  readonly environment: NodeEnvironment;
  readonly state: NodeState;
  readonly pods: NodePods;
  /** All services of the cluster, which containers find in their environment. */
  readonly services: Informer<Service & KubeObject>;
}

/** @throws the runtime's error if it can't be reached */
export async function commonParts(options: RealKubeletOptions): Promise<CommonParts> {
  const { client, settings, signal, nodeIps, log, clock = systemClock, random = systemRandom } = options;
  const onError = (error: unknown): void => {
    if (!signal.aborted) log(messageOf(error));
  };
  const around = { clock, random, onError };
  const environment = await readNodeEnvironment(options, clock);
  return {
    ...around,
    ...nodeEvents(options, around),
    environment,
    state: new NodeState(settings.port, clock, onError),
    pods: new NodePods(nodeIps[0] ?? ''),
    services: new Informer({ resource: client.resource('v1', 'services'), ...around }),
  };
}
