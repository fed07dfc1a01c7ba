/** Collects what happens to services and endpoints between two syncs, for metrics. */
import type { EndpointSliceObject } from '../model/plan-services.ts';
import {
  ipFamilies,
  isReachableFromOutside,
  type IpFamily,
  type PlanChanges,
  type ServiceRule,
} from '../model/service-rule.ts';

export type TrafficPolicy = 'internal' | 'external';

/** Service ports whose policy requires endpoints on this node although all of them are elsewhere. */
export class MissingLocalEndpoints {
  readonly #services = new Map<string, readonly string[]>();

  set(changes: PlanChanges): void {
    for (const [service, plan] of changes) {
      const missing = (plan?.rules ?? []).flatMap(missingIn);
      if (missing.length === 0) this.#services.delete(service);
      else this.#services.set(service, missing);
    }
  }

  count(policy: TrafficPolicy, family: IpFamily): number {
    const wanted = kindOf(policy, family);
    let count = 0;
    for (const missing of this.#services.values()) for (const kind of missing) if (kind === wanted) count++;
    return count;
  }
}

const kindOf = (policy: TrafficPolicy, family: IpFamily): string => `${policy} ${family}`;

function missingIn(rule: ServiceRule): string[] {
  const { hasEndpoints, localEndpoints, family, internalIsLocal, externalIsLocal } = rule;
  if (!hasEndpoints || localEndpoints.length > 0) return [];
  return [
    ...(internalIsLocal ? [kindOf('internal', family)] : []),
    ...(externalIsLocal && isReachableFromOutside(rule) ? [kindOf('external', family)] : []),
  ];
}

const triggerAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time';
/** The maximum between two syncs; more would add no information. */
const triggersMax = 10_000;

/** When an endpoint change was triggered, until it is in effect. */
export class ChangeTriggers {
  readonly #startMs: number;
  readonly #timesMs = new Map<IpFamily, number[]>(ipFamilies.map((family) => [family, []]));

  /** Earlier changes are not delays of this proxy. */
  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  add({ metadata, addressType }: EndpointSliceObject): void {
    const atMs = Date.parse(metadata.annotations?.[triggerAnnotation] ?? '');
    const times = this.#timesMs.get(addressType as IpFamily);
    if (atMs > this.#startMs && times !== undefined && times.length < triggersMax) times.push(atMs);
  }

  /** Those since the last call. */
  take(family: IpFamily): readonly number[] {
    const times = this.#timesMs.get(family) ?? [];
    this.#timesMs.set(family, []);
    return times;
  }
}
