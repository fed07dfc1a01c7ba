import { canonicalIp } from '@coxswain/apimachinery';
import type { EndpointSlice } from '@coxswain/api/discovery/v1/endpoint-slice.ts';
import type { Endpoint } from '@coxswain/api/discovery/v1/endpoint.ts';
import type { EndpointAddress } from './service-rule.ts';

/** The node for which rules are planned. */
export interface ProxyNode {
  readonly name: string;
  /** Undefined if the node has no zone label. */
  readonly zone?: string | undefined;
}

/** An endpoint of one port. */
export interface Candidate extends EndpointAddress {
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
  readonly forZones: readonly string[];
  readonly forNodes: readonly string[];
}

export interface PolicyUse {
  /** At least some clients may be sent to any node. */
  readonly usesCluster: boolean;
  /** At least some clients may be sent to this node only. */
  readonly usesLocal: boolean;
}

export interface ChosenEndpoints {
  readonly cluster: readonly Candidate[];
  readonly local: readonly Candidate[];
  /** Any usable endpoint on any node. */
  readonly hasAny: boolean;
}

/** The endpoints of the slices for the port named `portName`: each address once, sorted by text. */
export function candidatesFor(
  slices: readonly EndpointSlice[],
  portName: string,
  protocol: string,
  node: ProxyNode,
): Candidate[] {
  const found = new Map<string, Candidate>();
  for (const { endpoints, ports } of slices) {
    for (const { name, protocol: served, port } of ports ?? []) {
      if ((name ?? '') !== portName || (served ?? 'TCP') !== protocol || !port) continue;
      for (const endpoint of endpoints ?? []) {
        const candidate = candidateOf(endpoint, port, node);
        if (candidate === undefined) continue;
        const key = `${candidate.ip} ${port}`;
        // A new pod may have the address of one that is terminating; the new one takes precedence.
        if (!candidate.terminating || !found.has(key)) found.set(key, candidate);
      }
    }
  }
  if (found.size < 2) return [...found.values()];
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, candidate]) => candidate);
}

/** Ready endpoints first; if there are none, terminating endpoints that still serve. */
export function chooseEndpoints(
  candidates: readonly Candidate[],
  { usesCluster, usesLocal }: PolicyUse,
  node: ProxyNode,
): ChosenEndpoints {
  const cluster = usesCluster ? readyOrLeaving(candidates, (ready) => nearEndpoints(ready, node)) : [];
  const local = usesLocal ? readyOrLeaving(candidates.filter(({ isLocal }) => isLocal)) : [];
  return { cluster, local, hasAny: cluster.length > 0 || (usesLocal && candidates.some(isAtWork)) };
}

const isLeaving = ({ serving, terminating }: Candidate): boolean => serving && terminating;
const isAtWork = (candidate: Candidate): boolean => candidate.ready || isLeaving(candidate);

function readyOrLeaving(
  candidates: readonly Candidate[],
  near: (ready: readonly Candidate[]) => readonly Candidate[] = (ready) => ready,
): readonly Candidate[] {
  const ready = candidates.filter((candidate) => candidate.ready);
  return ready.length > 0 ? near(ready) : candidates.filter(isLeaving);
}

/** Hints apply only if every ready endpoint has one and at least one matches; nodes take precedence over zones. */
function nearEndpoints(ready: readonly Candidate[], { name, zone }: ProxyNode): readonly Candidate[] {
  if (ready.every(({ forNodes }) => forNodes.length > 0)) {
    const near = ready.filter(({ forNodes }) => forNodes.includes(name));
    if (near.length > 0) return near;
  }
  if (zone === undefined || !ready.every(({ forZones }) => forZones.length > 0)) return ready;
  const near = ready.filter(({ forZones }) => forZones.includes(zone));
  return near.length > 0 ? near : ready;
}

const none: readonly string[] = [];

function candidateOf(
  { addresses, conditions, nodeName, hints }: Endpoint,
  port: number,
  node: ProxyNode,
): Candidate | undefined {
  const ip = canonicalIp(addresses?.[0]);
  if (ip === undefined) return undefined;
  return {
    ip,
    port,
    isLocal: nodeName === node.name,
    ready: conditions?.ready ?? true,
    serving: conditions?.serving ?? true,
    terminating: conditions?.terminating ?? false,
    forZones: hints?.forZones?.map((zone) => zone.name) ?? none,
    forNodes: hints?.forNodes?.map((hinted) => hinted.name) ?? none,
  };
}
