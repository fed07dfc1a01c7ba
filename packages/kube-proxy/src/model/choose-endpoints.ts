import type { Endpoint, EndpointSlice } from '@coxswain/api/discovery/v1/endpoint-slice.ts';
import type { EndpointAddress } from './service-rule.ts';

/** The node that the rules are for. */
export interface ProxyNode {
  readonly name: string;
  /** Undefined when the node has no zone label. */
  readonly zone?: string | undefined;
}

/** An endpoint of one port. */
export interface Candidate extends EndpointAddress {
  readonly ready: boolean;
  /** On its way out, but still at work. */
  readonly leaving: boolean;
  readonly forZones: readonly string[];
  readonly forNodes: readonly string[];
}

/** The endpoints of the slices for the port called `portName`, each address once. */
export function candidatesFor(
  slices: readonly EndpointSlice[],
  portName: string,
  protocol: string,
  node: ProxyNode,
): Candidate[] {
  const found = new Map<string, Candidate>();
  for (const { endpoints, ports } of slices) {
    const port = ports?.find(
      (one) => (one.name ?? '') === portName && (one.protocol ?? 'TCP') === protocol,
    )?.port;
    if (port === undefined || port === null) continue;
    for (const endpoint of endpoints ?? []) {
      const candidate = candidateOf(endpoint, port, node);
      if (candidate !== undefined) found.set(`${candidate.ip} ${port}`, candidate);
    }
  }
  return [...found.values()].sort((a, b) => (a.ip < b.ip ? -1 : a.ip > b.ip ? 1 : a.port - b.port));
}

/** All endpoints: the ready ones near enough, else those that still serve while they leave. */
export function clusterEndpoints(candidates: readonly Candidate[], node: ProxyNode): readonly Candidate[] {
  const ready = candidates.filter((candidate) => candidate.ready);
  const near = nearEndpoints(ready, node);
  return near.length > 0 ? near : candidates.filter(({ leaving }) => leaving);
}

/** Those on this node, by the same rule. */
export function localEndpoints(candidates: readonly Candidate[]): readonly Candidate[] {
  const local = candidates.filter(({ isLocal }) => isLocal);
  const ready = local.filter((candidate) => candidate.ready);
  return ready.length > 0 ? ready : local.filter(({ leaving }) => leaving);
}

/** Hints count only when every ready endpoint has one and some are for us; nodes before zones. */
function nearEndpoints(ready: readonly Candidate[], node: ProxyNode): readonly Candidate[] {
  if (ready.length === 0) return ready;
  if (ready.every(({ forNodes }) => forNodes.length > 0)) {
    const near = ready.filter(({ forNodes }) => forNodes.includes(node.name));
    if (near.length > 0) return near;
  }
  const { zone } = node;
  if (zone === undefined || !ready.every(({ forZones }) => forZones.length > 0)) return ready;
  const near = ready.filter(({ forZones }) => forZones.includes(zone));
  return near.length > 0 ? near : ready;
}

function candidateOf(
  { addresses, conditions, nodeName, hints }: Endpoint,
  port: number,
  node: ProxyNode,
): Candidate | undefined {
  const ip = addresses?.[0];
  if (ip === undefined) return undefined;
  const ready = conditions?.ready ?? true;
  return {
    ip,
    port,
    isLocal: nodeName === node.name,
    ready,
    leaving: (conditions?.serving ?? ready) && (conditions?.terminating ?? false),
    forZones: (hints?.forZones ?? []).map(({ name }) => name),
    forNodes: (hints?.forNodes ?? []).map(({ name }) => name),
  };
}
