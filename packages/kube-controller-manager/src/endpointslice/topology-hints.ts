/**
 * Hints for the annotation `topology-mode: Auto`: each zone gets a share of the endpoints in proportion to its nodes'
 * CPUs. If that can't be done fairly there are no hints, and an event gives the reason.
 */
import { parseQuantity, quantityMilliValue } from '@coxswain/apimachinery';
import type { EndpointSlice, Node, Service } from '../objects.ts';
import type { AddressType, Endpoint, SlicePlan } from './slice-plan.ts';

/** The maximum relative overload of the endpoints in one zone. */
const overloadMax = 0.2;
const zoneLabel = 'topology.kubernetes.io/zone';
const controlPlaneLabels = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];
const hintsAnnotation = 'service.kubernetes.io/topology-aware-hints';
const modeAnnotation = 'service.kubernetes.io/topology-mode';
const disabled = 'TopologyAwareHintsDisabled';

export interface HintEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export function wantsZoneHints({ metadata }: Service): boolean {
  const mode = metadata.annotations?.[hintsAnnotation] ?? metadata.annotations?.[modeAnnotation];
  return mode === 'Auto' || mode === 'auto';
}

interface Share {
  readonly minimum: number;
  readonly desired: number;
  readonly maximum: number;
}

/** Tracks the zones, and the services with hints. */
export class TopologyHints {
  readonly #nodes: () => readonly Node[];
  /** Computed on demand, since nodes are many and hints are rare. */
  #known: { readonly ratios: ReadonlyMap<string, number> | undefined } | undefined;
  /** Services with hints, by key: endpoints by zone for each address type. */
  readonly #hinted = new Map<string, Map<AddressType, ReadonlyMap<string, number>>>();

  constructor(nodes: () => readonly Node[]) {
    this.#nodes = nodes;
  }

  /** Returns whether {@link overloaded} should be called. */
  nodesChanged(): boolean {
    this.#known = undefined;
    return this.#hinted.size > 0;
  }

  /** Returns the keys of services whose endpoints are no longer balanced over the zones. */
  overloaded(): string[] {
    return [...this.#hinted]
      .filter(([, families]) => [...families.values()].some((zones) => isOverloaded(zones, this.#ratios)))
      .map(([key]) => key);
  }

  /** Undefined if the zone or CPU count of a node is unknown, or all nodes are in one zone. */
  get #ratios(): ReadonlyMap<string, number> | undefined {
    return (this.#known ??= { ratios: processorRatios(this.#nodes()) }).ratios;
  }

  forget(key: string): void {
    this.#hinted.delete(key);
  }

  /** Handles a service that no longer requests hints. */
  withdraw(key: string, type: AddressType): HintEvent[] {
    const had = this.#hinted.has(key);
    this.#drop(key, type);
    return had ? [reported('Warning', disabled, 'Topology Aware Hints has been disabled', type)] : [];
  }

  /** Changes the endpoints of a plan in place; `existing` are all current slices of this address type. */
  apply(
    key: string,
    type: AddressType,
    plan: SlicePlan,
    existing: readonly EndpointSlice[],
  ): { readonly plan: SlicePlan; readonly events: readonly HintEvent[] } {
    const changing = new Set([...plan.update, ...plan.remove].map(({ metadata }) => metadata.name));
    const unchanged = existing.filter(({ metadata }) => !changing.has(metadata.name));
    const all = [...plan.create, ...plan.update, ...unchanged];
    const total = all.flatMap(endpointsOf).filter(isReady).length;
    const shares = sharesOf(this.#ratios, total);
    if (typeof shares === 'string') return this.#without(key, type, plan, unchanged, shares);

    const allocated = new Map<string, number>();
    const reopened = unchanged.filter((slice) => !keepsHints(slice, allocated, shares));
    const create = plan.create.map(copied);
    const update = [...plan.update, ...reopened].map(copied);
    for (const endpoint of [...create, ...update].flatMap(endpointsOf).filter(isReady)) {
      if (!endpoint.zone) {
        const reason = 'One or more endpoints do not have a zone specified';
        return this.#without(key, type, plan, unchanged, reason);
      }
      add(allocated, endpoint.zone, 1);
      endpoint.hints = { forZones: [{ name: endpoint.zone }] };
    }
    redistribute([...create, ...update], shares, allocated);
    const hinted = { ...plan, create, update };
    if (allocated.size === 0)
      return this.#without(key, type, plan, unchanged, 'No hints allocated for zones');
    const before = this.#hinted.get(key);
    this.#hinted.set(key, new Map([...(before ?? []), [type, allocated]]));
    if (before !== undefined) return { plan: hinted, events: [] };
    const message = 'Topology Aware Hints has been enabled';
    return { plan: hinted, events: [reported('Normal', 'TopologyAwareHintsEnabled', message, type)] };
  }

  #without(
    key: string,
    type: AddressType,
    plan: SlicePlan,
    unchanged: readonly EndpointSlice[],
    reason: string,
  ) {
    this.#drop(key, type);
    const hinted = unchanged.filter((slice) => endpointsOf(slice).some(({ hints }) => hints !== undefined));
    const stripped = (slice: EndpointSlice) => {
      const copy = copied(slice);
      for (const endpoint of endpointsOf(copy)) delete endpoint.hints;
      return copy;
    };
    return {
      plan: { ...plan, create: plan.create.map(stripped), update: [...plan.update, ...hinted].map(stripped) },
      events: [reported('Warning', disabled, reason, type)],
    };
  }

  #drop(key: string, type: AddressType): void {
    const families = this.#hinted.get(key);
    families?.delete(type);
    if (families?.size === 0) this.#hinted.delete(key);
  }
}

const reported = (
  type: HintEvent['type'],
  reason: string,
  message: string,
  family: AddressType,
): HintEvent => ({
  type,
  reason,
  message: `${message}, addressType: ${family}`,
});

const isReady = ({ conditions }: Endpoint): boolean => conditions?.ready === true;

const endpointsOf = ({ endpoints }: EndpointSlice): Endpoint[] => endpoints ?? [];

const copied = (slice: EndpointSlice): EndpointSlice => ({
  ...slice,
  endpoints: endpointsOf(slice).map((endpoint) => ({ ...endpoint })),
});

const add = (counts: Map<string, number>, zone: string, number: number): void => {
  counts.set(zone, (counts.get(zone) ?? 0) + number);
};

export const isNodeReady = ({ status }: Node): boolean =>
  status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';

/** Returns the fraction of CPUs in each zone; undefined if it can't be determined. */
function processorRatios(nodes: readonly Node[]): ReadonlyMap<string, number> | undefined {
  const processors = new Map<string, number>();
  let total = 0;
  for (const node of nodes) {
    const { metadata, status } = node;
    if (controlPlaneLabels.some((label) => metadata.labels?.[label] !== undefined)) continue;
    if (!isNodeReady(node)) continue;
    const zone = metadata.labels?.[zoneLabel];
    const count = quantityMilliValue(parseQuantity(status?.allocatable?.['cpu'] ?? '0'));
    if (!zone || count === 0) return undefined;
    add(processors, zone, count);
    total += count;
  }
  if (processors.size < 2) return undefined;
  return new Map([...processors].map(([zone, count]) => [zone, count / total]));
}

/** Returns how many endpoints each zone should have, or why that can't be determined. */
function sharesOf(
  ratios: ReadonlyMap<string, number> | undefined,
  total: number,
): ReadonlyMap<string, Share> | string {
  if (ratios === undefined) {
    return 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes';
  }
  const counts = `(${total} endpoints, ${ratios.size} zones)`;
  if (ratios.size > total) return `Insufficient number of endpoints ${counts}`;
  const minima = new Map(
    [...ratios].map(([zone, ratio]) => [zone, Math.ceil(ratio * total * (1 / (1 + overloadMax)))]),
  );
  const left = total - [...minima.values()].reduce((sum, minimum) => sum + minimum, 0);
  if (left < 0) {
    return `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ${counts}`;
  }
  return new Map(
    [...minima].map(([zone, minimum]) => {
      const desired = Math.max(ratios.get(zone)! * total, minimum);
      return [zone, { minimum, desired, maximum: minimum + left }];
    }),
  );
}

/** Whether a slice can remain unchanged; if so, its hints are counted. */
function keepsHints(
  slice: EndpointSlice,
  allocated: Map<string, number>,
  shares: ReadonlyMap<string, Share>,
): boolean {
  const counts = new Map<string, number>();
  for (const { hints } of endpointsOf(slice).filter(isReady)) {
    const zones = hints?.forZones ?? [];
    if (zones.length === 0 || zones.some(({ name }) => !shares.has(name))) return false;
    for (const { name } of zones) add(counts, name, 1);
  }
  for (const [zone, count] of counts) {
    if (count + (allocated.get(zone) ?? 0) > shares.get(zone)!.maximum) return false;
  }
  for (const [zone, count] of counts) add(allocated, zone, count);
  return true;
}

/** Moves endpoints from zones with more than their share to zones with fewer. */
function redistribute(
  slices: readonly EndpointSlice[],
  shares: ReadonlyMap<string, Share>,
  allocated: Map<string, number>,
): void {
  const { giving, receiving } = exchanges(shares, allocated);
  for (const endpoint of slices.flatMap(endpointsOf).filter(isReady)) {
    const [receiver] = [...receiving].find(([, count]) => count > 0) ?? [];
    if (receiver === undefined) return;
    if ((giving.get(endpoint.zone!) ?? 0) === 0) continue;
    endpoint.hints = { forZones: [{ name: receiver }] };
    add(giving, endpoint.zone!, -1);
    add(receiving, receiver, -1);
    add(allocated, endpoint.zone!, -1);
    add(allocated, receiver, 1);
  }
}

function exchanges(shares: ReadonlyMap<string, Share>, allocated: ReadonlyMap<string, number>) {
  const surplus = new Map<string, number>();
  const lack = new Map<string, number>();
  for (const [zone, { desired }] of shares) {
    const difference = (allocated.get(zone) ?? 0) - desired;
    if (difference > 0) surplus.set(zone, difference);
    if (difference < 0) lack.set(zone, -difference);
  }
  const giving = new Map<string, number>();
  const receiving = new Map<string, number>();
  for (;;) {
    const [giver, most] = largest(surplus);
    const [receiver, least] = largest(lack);
    if (giver === undefined || receiver === undefined) break;
    if ((most < 1 && least < 1) || most < 0.5 || least < 0.5) break;
    add(giving, giver, 1);
    add(surplus, giver, -1);
    add(receiving, receiver, 1);
    add(lack, receiver, -1);
  }
  return { giving, receiving };
}

function largest(counts: ReadonlyMap<string, number>): [zone: string | undefined, count: number] {
  let found: [string | undefined, number] = [undefined, 0];
  for (const [zone, count] of counts) if (count > found[1]) found = [zone, count];
  return found;
}

function isOverloaded(
  zones: ReadonlyMap<string, number>,
  ratios: ReadonlyMap<string, number> | undefined,
): boolean {
  if (zones.size === 0) return false;
  if (ratios === undefined) return true;
  const total = [...zones.values()].reduce((sum, count) => sum + count, 0);
  return [...ratios].some(([zone, ratio]) => {
    const count = zones.get(zone);
    return count === undefined || count < Math.ceil(total * ratio * (1 / (1 + overloadMax)));
  });
}
