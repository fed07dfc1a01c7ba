/** Maintains the addresses in the status of Services of type LoadBalancer, at which kube-proxy answers. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import {
  aborted,
  isStatusError,
  systemClock,
  systemRandom,
  type Clock,
  type KubeObject,
  type Random,
} from '@coxswain/apimachinery';
import {
  EventBroadcaster,
  objectKey,
  type EventRecorder,
  type InformerFactory,
  type KubeClient,
} from '@coxswain/client';
import { BoundedFrequencyRunner } from '@coxswain/apimachinery/bounded-frequency-runner.ts';
import {
  assignAddresses,
  isOurs,
  type Assignment,
  type EndpointSliceObject,
  type NodeObject,
  type PodObject,
  type ServiceObject,
} from './assign-addresses.ts';

export interface LoadBalancersOptions {
  readonly client: KubeClient;
  /** Started by their creator. */
  readonly informers: InformerFactory;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly onError: (error: unknown) => void;
}

export interface RunningLoadBalancers {
  /** Resolves when every Service has been processed once. */
  readonly ready: Promise<void>;
  readonly stopped: Promise<void>;
}

const restMs = 100;
const retryMs = 2_000;
/** The name that cloud providers' controllers use. */
const component = 'service-controller';

export function startLoadBalancers(options: LoadBalancersOptions): RunningLoadBalancers {
  const { client, informers, signal, clock = systemClock, random = systemRandom, onError } = options;
  const services = informers.informer<ServiceObject>({ group: '', version: 'v1', resource: 'services' });
  const nodes = informers.informer<NodeObject>({ group: '', version: 'v1', resource: 'nodes' });
  const pods = informers.informer<PodObject>({ group: '', version: 'v1', resource: 'pods' });
  const slices = informers.informer<EndpointSliceObject>({
    group: 'discovery.k8s.io',
    version: 'v1',
    resource: 'endpointslices',
  });
  const events = new EventBroadcaster({ client, clock, random, onError, signal });
  const writer = new StatusWriter(client, events.recorder(component));
  /** Most clusters have no such Service; then nothing else is watched. */
  const own = new Set<string>();
  const sync = new BoundedFrequencyRunner({
    clock,
    restMs,
    retryMs,
    onError,
    async job() {
      if (own.size === 0) return;
      const inputs = {
        services: services.lister.list(),
        nodes: nodes.lister.list(),
        pods: pods.lister.list(),
        slices: slices.lister.list(),
      };
      for (const assignment of assignAddresses(inputs)) await writer.write(assignment);
    },
  });
  const note = (service: ServiceObject): void => {
    if (isOurs(service)) own.add(objectKey(service));
    else own.delete(objectKey(service));
    sync.request();
  };
  services.addHandler({
    added: note,
    updated: (_before, after) => note(after),
    deleted(service) {
      own.delete(objectKey(service));
      writer.forget(service);
      sync.request();
    },
  });
  const changed = (): void => {
    if (own.size > 0) sync.request();
  };
  for (const informer of [nodes, pods, slices])
    informer.addHandler({ added: changed, updated: changed, deleted: changed });
  const filled = Promise.all([services.synced, nodes.synced, pods.synced, slices.synced]);
  const ready = filled.then(() => {
    const done = sync.done();
    detach(sync.open());
    return done;
  });
  const stopped = aborted(signal).then(() => sync.close());
  return { ready: Promise.race([ready, stopped]), stopped };
}

class StatusWriter {
  readonly #client: KubeClient;
  readonly #recorder: EventRecorder;
  /** The last event about each Service, so that it is not repeated. */
  readonly #reported = new Map<string, string>();

  constructor(client: KubeClient, recorder: EventRecorder) {
    this.#client = client;
    this.#recorder = recorder;
  }

  /** @throws StatusError if the API refuses a write, unless the Service has changed or is gone */
  async write({ service, addresses, conflict }: Assignment): Promise<void> {
    if (conflict !== undefined) this.#report(service, 'Warning', 'SyncLoadBalancerFailed', conflict);
    const present = (service.status?.loadBalancer?.ingress ?? []).map(({ ip = '' }) => ip);
    if (present.join() === addresses.join()) return;
    const { namespace = '', name = '', resourceVersion } = service.metadata;
    const patch = {
      metadata: { resourceVersion },
      status: { loadBalancer: { ingress: addresses.map((ip) => ({ ip })) } },
    };
    try {
      await this.#client
        .resource('v1', 'services')
        .namespace(namespace)
        .patch(name, patch, { type: 'merge', subresource: 'status' });
    } catch (error) {
      // The watch will deliver the newer state.
      if (isStatusError(error, 'Conflict') || isStatusError(error, 'NotFound')) return;
      throw error;
    }
    if (addresses.length > 0)
      this.#report(
        service,
        'Normal',
        'EnsuredLoadBalancer',
        `Ensured load balancer: ${addresses.join(', ')}`,
      );
  }

  forget(service: ServiceObject): void {
    this.#reported.delete(objectKey(service));
  }

  #report(service: ServiceObject, type: 'Normal' | 'Warning', reason: string, message: string): void {
    const key = objectKey(service);
    if (this.#reported.get(key) === message) return;
    this.#reported.set(key, message);
    this.#recorder.event(
      { ...service, apiVersion: 'v1', kind: 'Service' } as KubeObject,
      type,
      reason,
      message,
    );
  }
}
