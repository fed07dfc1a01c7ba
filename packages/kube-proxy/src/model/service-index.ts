import { planService, serviceKey, type EndpointSliceObject, type ServiceObject } from './plan-services.ts';
import type { ProxyNode } from './choose-endpoints.ts';
import type { PlanChanges, ServicePlan } from './service-rule.ts';

const sliceServiceLabel = 'kubernetes.io/service-name';
/** Headless services are resolved by DNS and need no rules. */
const headlessLabel = 'service.kubernetes.io/headless';

/** Services and their endpoint slices. Tracks changes, so that only changed services are planned again. */
export class ServiceIndex {
  readonly #services = new Map<string, ServiceObject>();
  readonly #slices = new Map<string, Map<string, EndpointSliceObject>>();
  readonly #changed = new Set<string>();

  get changedCount(): number {
    return this.#changed.size;
  }

  setService(service: ServiceObject): void {
    const key = serviceKey(service);
    this.#services.set(key, service);
    this.#changed.add(key);
  }

  removeService(service: ServiceObject): void {
    const key = serviceKey(service);
    this.#services.delete(key);
    this.#changed.add(key);
  }

  setSlice(slice: EndpointSliceObject, before?: EndpointSliceObject): void {
    const key = ownerOf(slice);
    if (before !== undefined && ownerOf(before) !== key) this.removeSlice(before);
    if (key === undefined) return;
    const known = this.#slices.get(key);
    if (known === undefined) this.#slices.set(key, new Map([[slice.metadata.name!, slice]]));
    else known.set(slice.metadata.name!, slice);
    this.#changed.add(key);
  }

  removeSlice(slice: EndpointSliceObject): void {
    const key = ownerOf(slice);
    const known = key === undefined ? undefined : this.#slices.get(key);
    if (key === undefined || !known?.delete(slice.metadata.name!)) return;
    if (known.size === 0) this.#slices.delete(key);
    this.#changed.add(key);
  }

  /** Called when the node has moved to another zone. */
  changeAll(): void {
    for (const key of this.#services.keys()) this.#changed.add(key);
  }

  /** The plans of everything that changed since the last call. */
  takeChanges(node: ProxyNode): PlanChanges {
    const plans = new Map<string, ServicePlan | undefined>();
    for (const key of this.#changed) plans.set(key, this.#plan(key, node));
    this.#changed.clear();
    return plans;
  }

  #plan(key: string, node: ProxyNode): ServicePlan | undefined {
    const service = this.#services.get(key);
    const slices = this.#slices.get(key);
    return service && planService(service, slices === undefined ? [] : [...slices.values()], node);
  }
}

function ownerOf({ metadata }: EndpointSliceObject): string | undefined {
  const name = metadata.labels?.[sliceServiceLabel];
  return !name || metadata.labels?.[headlessLabel] !== undefined
    ? undefined
    : `${metadata.namespace}/${name}`;
}
