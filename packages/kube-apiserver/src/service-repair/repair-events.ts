/** Events of the server's own controllers: created once, and counted when they repeat. */
import { checkDnsSubdomain, type Clock, type KubeObject } from '@coxswain/apimachinery';
import type { Transport } from '@coxswain/client/transport.ts';
import { as } from '../groups/any-object.ts';

export interface RepairEvent {
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

export interface RepairEventsOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly newUid: () => string;
  /** `ipallocator-repair-controller` */
  readonly controller: string;
  /** This machine or process; part of `reportingInstance`. */
  readonly instance: string;
}

/** A repetition within this time belongs to the same series. */
const seriesMsMax = 6 * 60 * 1000;
const seriesMax = 1024;

interface Series {
  readonly path: string;
  readonly startedAtMs: number;
  count: number;
}

export class RepairEvents {
  readonly #options: RepairEventsOptions;
  readonly #series = new Map<string, Series>();

  constructor(options: RepairEventsOptions) {
    this.#options = options;
  }

  /** Warns about an object. Failures are ignored, since the object is checked again anyway. */
  async warn(object: KubeObject, event: RepairEvent): Promise<void> {
    const { clock } = this.#options;
    const { uid = '', namespace = '', name = '' } = object.metadata;
    const key = [object.kind, namespace, name, uid, event.action, event.reason, event.note].join('\0');
    const known = this.#series.get(key);
    try {
      if (known === undefined || clock.now() - known.startedAtMs > seriesMsMax) {
        this.#remember(key, await this.#create(object, event));
      } else await this.#repeat(known);
    } catch {
      this.#series.delete(key);
    }
  }

  #remember(key: string, path: string): void {
    this.#series.delete(key);
    this.#series.set(key, { path, startedAtMs: this.#options.clock.now(), count: 1 });
    for (const [oldest] of this.#series) {
      if (this.#series.size <= seriesMax) break;
      this.#series.delete(oldest);
    }
  }

  /** Returns the path of the new event. */
  async #create(object: KubeObject, { reason, action, note }: RepairEvent): Promise<string> {
    const { clock, controller, instance, newUid } = this.#options;
    const { name = '', namespace = 'default', uid, resourceVersion } = object.metadata;
    const nowMs = clock.now();
    const usual = `${name}.${(BigInt(nowMs) * 1_000_000n).toString(16)}`;
    const eventName = checkDnsSubdomain(usual).length === 0 ? usual : newUid();
    const collection = `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;
    const { kind, apiVersion } = object;
    await this.#send('POST', collection, 'application/json', {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: eventName, namespace },
      eventTime: microTime(nowMs),
      type: 'Warning',
      reason,
      action,
      note,
      reportingController: controller,
      reportingInstance: `${controller}-${instance}`,
      regarding: { kind, apiVersion, name, uid, resourceVersion, namespace: object.metadata.namespace },
    });
    return `${collection}/${eventName}`;
  }

  /** The second event begins the series; later ones are counted in it. */
  async #repeat(series: Series): Promise<void> {
    series.count++;
    if (series.count > 2) return;
    const lastObservedTime = microTime(this.#options.clock.now());
    await this.#send('PATCH', series.path, 'application/strategic-merge-patch+json', {
      series: { count: series.count, lastObservedTime },
    });
  }

  async #send(method: string, path: string, type: string, body: object): Promise<void> {
    const headers = { 'content-type': type, accept: 'application/json', 'user-agent': 'kube-apiserver' };
    const response = await this.#options.transport.send({
      method,
      path,
      headers,
      body: new TextEncoder().encode(JSON.stringify(body)),
    });
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status}`);
  }
}

const microTime = (ms: number): string => new Date(ms).toISOString().replace(/Z$/, '000Z');

/** Stored objects don't have their kind, which events need. */
export const asKubeObject = (object: object, apiVersion: string, kind: string): KubeObject => ({
  ...as<KubeObject>(object),
  apiVersion,
  kind,
});
