import { ManualClock, seededRandom } from '@coxswain/apimachinery';
import type { PodStatus } from '@coxswain/api/core/v1/pod-status.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { PodWorker } from '../src/worker/pod-worker.ts';
import type { KnownPod } from '../src/runtime.ts';
import type { ExitListener, PodEvent } from '../src/pod/pod-worker-context.ts';
import { SimulatedRuntime } from '@coxswain/simulated-nodes/simulated-runtime.ts';

/** One pod on a simulated node, with a clock that the test advances. */
export class OnePod {
  readonly clock = new ManualClock();
  readonly runtime = new SimulatedRuntime({
    clock: this.clock,
    random: seededRandom(1),
    podCidr: '10.244.0.0/24',
  });
  readonly events: string[] = [];
  readonly errors: unknown[] = [];
  readonly worker: PodWorker;
  status: PodStatus | undefined;
  /** Every status, in order. */
  readonly reported: PodStatus[] = [];
  removed = false;
  /** Why the node has no room for a larger pod. */
  noRoomBecause: string | undefined;
  readonly #watched = new Map<string, ExitListener>();
  #pod: Pod;

  /** @param known what an earlier kubelet has left of the pod */
  constructor(pod: Pod, known?: KnownPod) {
    this.#pod = pod;
    if (known !== undefined) Object.assign(this.runtime, { knownPod: () => known });
    this.runtime.listen({ exited: (id, exit) => this.#watched.get(id)?.containerExited(id, exit) });
    this.worker = new PodWorker(pod, {
      runtime: this.runtime,
      clock: this.clock,
      hostIps: ['172.20.0.2'],
      report: (_pod, status) => this.reported.push((this.status = status)),
      remove: () => (this.removed = true),
      event: (_pod, { type, reason, message }: PodEvent) => this.events.push(`${type} ${reason}: ${message}`),
      watchContainer: (id, worker) => this.#watched.set(id, worker),
      unwatchContainer: (id) => this.#watched.delete(id),
      admitResize: () => this.noRoomBecause,
      onError: (error) => this.errors.push(error),
    });
    this.worker.start();
  }

  /** Lets time pass; with zero, pending work runs. */
  async pass(ms = 0): Promise<void> {
    await this.clock.advance(ms);
  }

  change(change: (pod: Pod) => Pod): void {
    this.#pod = change(this.#pod);
    this.worker.update(this.#pod);
  }

  /** Marks the pod as the API server does, with the grace period of the spec. */
  delete(graceSeconds = this.#pod.spec?.terminationGracePeriodSeconds ?? 30): void {
    const deletionTimestamp = new Date(this.clock.now()).toISOString();
    this.change((pod) => ({
      ...pod,
      metadata: { ...pod.metadata, deletionTimestamp, deletionGracePeriodSeconds: graceSeconds },
    }));
  }

  condition(type: string): string | undefined {
    return this.status?.conditions?.find((condition) => condition.type === type)?.status;
  }

  container(name = 'c') {
    const all = [...(this.status?.initContainerStatuses ?? []), ...(this.status?.containerStatuses ?? [])];
    const status = all.find((one) => one.name === name);
    if (status === undefined) throw new Error(`no status of container ${name}`);
    return status;
  }
}

export function pod(spec: object = {}, metadata: object = {}): Pod {
  return {
    metadata: { name: 'web', namespace: 'default', uid: 'u1', generation: 1, ...metadata },
    spec: {
      nodeName: 'node-0',
      restartPolicy: 'Always',
      containers: [{ name: 'c', image: 'nginx' }],
      ...spec,
    },
    status: { phase: 'Pending', qosClass: 'BestEffort' },
  } as unknown as Pod;
}

export const annotated = (annotations: Record<string, string>): object => ({
  annotations: Object.fromEntries(
    Object.entries(annotations).map(([key, value]) => [`sim.coxswain.io/${key}`, value]),
  ),
});
