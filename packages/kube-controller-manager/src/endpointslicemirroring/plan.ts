/** Plans the slices that mirror an Endpoints object: one for each combination of ports and address type. */
import { formatIp, parseIp, semanticDeepEqual } from '@coxswain/apimachinery';
import { packSubsets, type Subset } from '../endpoints/subsets.ts';
import { endpointKey, managedByLabel, portsKey, serviceNameLabel } from '../endpointslice/plan.ts';
import type { AddressType, Endpoint, EndpointPort, SlicePlan } from '../endpointslice/slice-plan.ts';
import type { Endpoints, EndpointSlice } from '../objects.ts';
import { controllerReference } from '../owners.ts';

export const mirroringManager = 'endpointslicemirroring-controller.k8s.io';

export interface MirrorPlan extends SlicePlan {
  /** The number of invalid addresses. */
  readonly invalid: number;
  /** The number of addresses that were left out, including invalid ones. */
  readonly skipped: number;
}

interface Group {
  readonly type: AddressType;
  readonly ports: readonly EndpointPort[];
  readonly endpoints: Map<string, Endpoint>;
}

const families: readonly AddressType[] = ['IPv4', 'IPv6'];

/** @param endpointsMax the limit per subset */
export function planMirror(
  mirrored: Endpoints,
  existing: readonly EndpointSlice[],
  endpointsMax: number,
): MirrorPlan {
  const { groups, invalid, skipped } = wantedGroups(mirrored, endpointsMax);
  const plan: SlicePlan = { create: [], update: [], remove: [] };
  const byGroup = Map.groupBy(existing, (slice) => groupKey(slice.addressType, slice.ports ?? []));
  for (const [key, group] of groups) planGroup(mirrored, group, byGroup.get(key) ?? [], plan);
  for (const [key, slices] of byGroup) if (!groups.has(key)) plan.remove.push(...slices);
  return { ...reusing(plan), invalid, skipped };
}

const groupKey = (type: string, ports: readonly EndpointPort[]): string => `${type} ${portsKey(ports)}`;

function wantedGroups({ subsets }: Endpoints, endpointsMax: number) {
  const groups = new Map<string, Group>();
  let invalid = 0;
  let skipped = 0;
  for (const subset of repacked(subsets ?? [])) {
    const ports = (subset.ports ?? []).map(portOf);
    for (const type of families) {
      const key = groupKey(type, ports);
      if (!groups.has(key)) groups.set(key, { type, ports, endpoints: new Map() });
    }
    const addresses = [
      ...(subset.addresses ?? []).map((address) => ({ address, isReady: true })),
      ...(subset.notReadyAddresses ?? []).map((address) => ({ address, isReady: false })),
    ];
    let added = 0;
    for (const { address, isReady } of addresses) {
      if (added >= endpointsMax) break;
      const found = endpointOf(address, isReady);
      if (found === undefined) {
        invalid++;
        continue;
      }
      added++;
      groups.get(groupKey(found.type, ports))!.endpoints.set(endpointKey(found.endpoint), found.endpoint);
    }
    skipped += addresses.length - added;
  }
  return { groups, invalid, skipped };
}

const repacked = (subsets: readonly Subset[]): readonly Subset[] =>
  packSubsets(
    subsets.flatMap(({ addresses, notReadyAddresses, ports }) => [
      ...(addresses ?? []).map((address) => ({ address, isReady: true, ports: ports ?? [] })),
      ...(notReadyAddresses ?? []).map((address) => ({ address, isReady: false, ports: ports ?? [] })),
    ]),
  );

const portOf = ({
  name,
  port,
  protocol,
  appProtocol,
}: NonNullable<Subset['ports']>[number]): EndpointPort => ({
  name: name ?? '',
  port,
  ...(protocol === undefined ? {} : { protocol }),
  ...(appProtocol === undefined ? {} : { appProtocol }),
});

function endpointOf(
  { ip, hostname, nodeName, targetRef }: NonNullable<Subset['addresses']>[number],
  ready: boolean,
): { readonly type: AddressType; readonly endpoint: Endpoint } | undefined {
  const parsed = parseIp(ip);
  if (parsed === undefined) return undefined;
  const endpoint: Endpoint = {
    addresses: [formatIp(parsed)],
    conditions: { ready },
    ...(targetRef === undefined ? {} : { targetRef }),
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(hostname ? { hostname } : {}),
  };
  return { type: parsed.version === 6 ? 'IPv6' : 'IPv4', endpoint };
}

function planGroup(
  mirrored: Endpoints,
  group: Group,
  existing: readonly EndpointSlice[],
  plan: SlicePlan,
): void {
  if (group.endpoints.size === 0) {
    plan.remove.push(...existing);
    return;
  }
  const [first, ...others] = existing;
  plan.remove.push(...others);
  const wanted = mirrorSlice(mirrored, group);
  if (first === undefined) plan.create.push(wanted);
  else if (!isAsWanted(first, wanted)) plan.update.push(named(wanted, first));
}

const named = (wanted: EndpointSlice, { metadata }: EndpointSlice): EndpointSlice => {
  const { generateName: _prefix, ...rest } = wanted.metadata;
  return { ...wanted, metadata: { ...rest, name: metadata.name ?? '' } };
};

function isAsWanted(slice: EndpointSlice, wanted: EndpointSlice): boolean {
  const byKey = (endpoints: readonly Endpoint[] | null | undefined) =>
    Object.fromEntries((endpoints ?? []).map((endpoint) => [endpointKey(endpoint), endpoint]));
  const ownerUid = wanted.metadata.ownerReferences?.[0]?.uid;
  return (
    semanticDeepEqual(byKey(slice.endpoints), byKey(wanted.endpoints)) &&
    semanticDeepEqual(slice.metadata.labels, wanted.metadata.labels) &&
    semanticDeepEqual(slice.metadata.annotations ?? {}, wanted.metadata.annotations ?? {}) &&
    (slice.metadata.ownerReferences ?? []).every(
      ({ kind, name, uid }) =>
        kind !== 'Endpoints' || name !== wanted.metadata.labels![serviceNameLabel] || uid === ownerUid,
    )
  );
}

/** Annotations that only concern the Endpoints object itself. */
const ownAnnotations: ReadonlySet<string> = new Set([
  'endpoints.kubernetes.io/last-change-trigger-time',
  'kubectl.kubernetes.io/last-applied-configuration',
]);

function mirrorSlice({ metadata }: Endpoints, { type, ports, endpoints }: Group): EndpointSlice {
  const { name = '', namespace = '' } = metadata;
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([key]) => !ownAnnotations.has(key));
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: prefixOf(name),
      namespace,
      labels: { ...metadata.labels, [serviceNameLabel]: name, [managedByLabel]: mirroringManager },
      ...(annotations.length === 0 ? {} : { annotations: Object.fromEntries(annotations) }),
      ownerReferences: [
        controllerReference({ apiVersion: 'v1', kind: 'Endpoints' }, { metadata } as Endpoints),
      ],
    },
    addressType: type,
    endpoints: [...endpoints.values()],
    ports: [...ports],
  } as EndpointSlice;
}

const nameCharactersMax = 253;

/** A dash makes the name prettier, where there is room for it. */
const prefixOf = (name: string): string => (name.length < nameCharactersMax ? `${name}-` : name);

/** Instead of deleting one slice and creating another, updates the existing one. */
function reusing({ create, update, remove }: SlicePlan): SlicePlan {
  const left = [...remove];
  const created: EndpointSlice[] = [];
  const updated = [...update];
  for (const slice of create) {
    const at = left.findIndex(({ addressType }) => addressType === slice.addressType);
    const [old] = at < 0 ? [] : left.splice(at, 1);
    if (old === undefined) created.push(slice);
    // As upstream, it keeps the generateName of the planned slice.
    else updated.push({ ...slice, metadata: { ...slice.metadata, name: old.metadata.name ?? '' } });
  }
  return { create: created, update: updated, remove: left };
}
