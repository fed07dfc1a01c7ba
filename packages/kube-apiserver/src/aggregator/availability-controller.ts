/**
 * Maintains the condition `Available` of APIServices: checks the service and its endpoints, and probes the extension
 * server after every change and every 30 seconds.
 */
import { detach } from '@coxswain/apimachinery/detach.ts';
import { formatTime, StatusError, type Clock, type KubeObject } from '@coxswain/apimachinery';
import type { APIService } from '@coxswain/api/apiregistration/v1/index.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { queueWatcher } from '@coxswain/client/queue/queue-metrics.ts';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import { observedReconcile } from '@coxswain/client/queue/observed-reconcile.ts';
import { exponentialRetry } from '@coxswain/client/queue/failure-back-off.ts';
import { WorkQueue } from '@coxswain/client/queue/work-queue.ts';
import { runWorkers } from '@coxswain/client/queue/workers.ts';
import type { Storage } from '@coxswain/storage/storage.ts';
import { resources, type ObjectReader } from '../object-reader.ts';
import { StoreFollower } from '../follow-store.ts';
import { as } from '../groups/any-object.ts';
import { systemSend, type SystemSendParts } from '../system-send.ts';
import {
  failedDiscovery,
  isLocal,
  localFinding,
  obstacle,
  passed,
  saysAlready,
  statusWith,
  type Finding,
} from './availability.ts';
import { serviceOf, slicesOf } from '../service-address.ts';

export interface AvailabilityParts extends SystemSendParts {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly objects: ObjectReader;
  readonly apiServices: GenericStore;
  readonly servedHere: ReadonlySet<string>;
  readonly services: GenericStore;
  readonly endpointSlices: GenericStore;
  readonly metrics: Metrics;
  /** Requests the extension server's discovery document. @throws Error that describes the failure */
  readonly probe: (apiService: APIService) => Promise<void>;
}

const failureFirstMs = 5;
const failureMsMax = 30_000;
/** The network to an extension server may change without any change of an object. */
const resyncMs = 30_000;
const workers = 5;

export class AvailabilityController {
  readonly #parts: AvailabilityParts;
  readonly #follower: StoreFollower;
  readonly #queue: WorkQueue;
  readonly #stopping = new AbortController();
  /** `namespace/name` of the service by APIService; local ones are not included. */
  readonly #remote = new Map<string, string>();
  #followsServices = false;

  constructor(parts: AvailabilityParts) {
    this.#parts = parts;
    this.#follower = new StoreFollower(parts.storage, parts.observer);
    this.#queue = new WorkQueue({
      clock: parts.clock,
      retry: exponentialRetry(failureFirstMs, failureMsMax),
      watcher: queueWatcher('RemoteAvailabilityController', parts.metrics, parts.clock),
      observer: parts.observer,
    });
  }

  async start(): Promise<void> {
    detach(
      runWorkers({
        queue: this.#queue,
        workers,
        signal: this.#stopping.signal,
        reconcile: observedReconcile({
          queue: this.#queue,
          observer: this.#parts.observer,
          component: 'apiservice-availability-controller',
          reconcile: (name) => this.#checkAvailability(name),
          work: this.#checkAvailability,
        }),
      }),
    );
    await this.#follower.follow(this.#parts.apiServices, {
      put: (object) => this.#put(as<APIService>(object)),
      remove: (_namespace, name) => void this.#remote.delete(name),
    });
  }

  stop(): void {
    this.#stopping.abort();
    this.#follower.stop();
  }

  #put(apiService: APIService): void {
    const name = apiService.metadata.name!;
    const service = apiService.spec?.service;
    if (service === undefined || isLocal(apiService, this.#parts.servedHere)) {
      this.#remote.delete(name);
      if (!saysAlready(apiService, localFinding)) this.#queue.add(name);
      return;
    }
    this.#remote.set(name, `${service.namespace}/${service.name}`);
    this.#queue.add(name);
    if (!this.#followsServices) detach(this.#followServices());
  }

  /** Started with the first APIService that has a service: most clusters never need it. */
  async #followServices(): Promise<void> {
    this.#followsServices = true;
    await this.#follower.follow(this.#parts.services, {
      put: ({ metadata }) => this.#serviceChanged(`${metadata.namespace}/${metadata.name}`),
      remove: (namespace, name) => this.#serviceChanged(`${namespace}/${name}`),
    });
    await this.#follower.follow(this.#parts.endpointSlices, {
      put: ({ metadata }) => this.#serviceChanged(`${metadata.namespace}/${serviceOfSlice(metadata)}`),
      // It is unknown whose endpoints these were.
      remove: (namespace) => this.#serviceChanged(`${namespace}/`, (key, part) => key.startsWith(part)),
    });
  }

  #serviceChanged(changed: string, matches = (key: string, other: string) => key === other): void {
    for (const [name, service] of this.#remote) if (matches(service, changed)) this.#queue.add(name);
  }

  async #checkAvailability(name: string): Promise<number | void> {
    const { objects, servedHere } = this.#parts;
    const apiService = await objects.get<APIService>(resources.apiServices, '', name);
    if (apiService === undefined) return;
    const service = apiService.spec?.service;
    if (service === undefined || isLocal(apiService, servedHere))
      return this.#report(apiService, localFinding);
    const { namespace = '', name: serviceName = '' } = service;
    const [found, slices] = [
      await serviceOf(objects, namespace, serviceName),
      await slicesOf(objects, namespace, serviceName),
    ];
    const inTheWay = obstacle(service, found, slices);
    if (inTheWay !== undefined) {
      await this.#report(apiService, inTheWay);
      return resyncMs;
    }
    try {
      await this.#parts.probe(apiService);
    } catch (failure) {
      // A failure before the request says nothing about the server.
      if (!(failure instanceof StatusError)) {
        await this.#report(apiService, failedDiscovery(messageOf(failure)));
      }
      throw failure;
    }
    await this.#report(apiService, passed);
    return resyncMs;
  }

  async #report(apiService: APIService, finding: Finding): Promise<void> {
    this.#parts.observer?.note?.({ ...finding });
    if (saysAlready(apiService, finding) || this.#stopping.signal.aborted) return;
    const { name } = apiService.metadata;
    const status = statusWith(apiService.status, finding, formatTime(this.#parts.clock.now()));
    const path = `/apis/apiregistration.k8s.io/v1/apiservices/${name}/status`;
    const code = await systemSend(this.#parts, 'PUT', path, { ...apiService, status });
    if (code >= 400 && code !== 404) throw new Error(`status of APIService ${name}: ${code}`);
  }
}

const serviceOfSlice = ({ labels }: KubeObject['metadata']): string =>
  labels?.['kubernetes.io/service-name'] ?? '';
