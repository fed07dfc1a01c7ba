/** Converts containers' requests for extended resources to requests for devices. */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { ContainerExtendedResourceRequest } from '@coxswain/api/core/v1/pod-status.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { parseQuantity, quantityValue } from '@coxswain/apimachinery';
import type { DeviceRequest } from '@coxswain/api/resource/v1/resource-claim-spec.ts';

export interface ExtendedRequests {
  readonly requests: readonly DeviceRequest[];
  /** Maps containers' resources to requests. */
  readonly mappings: readonly ContainerExtendedResourceRequest[];
}

/** A container with its index among all containers, init containers first. */
interface Placed {
  readonly index: number;
  readonly container: Container;
}

interface Asked {
  /** Undefined if the requests of others suffice. */
  readonly request?: DeviceRequest;
  readonly mappings: readonly ContainerExtendedResourceRequest[];
}

/**
 * Containers that run concurrently get separate devices. An init container reuses those of containers that start after
 * it; what it needs beyond them is requested once, for the init container that needs the most.
 * @param classes the names of DeviceClasses by extended resource
 */
export function extendedRequestsOf(pod: Pod, classes: ReadonlyMap<string, string>): ExtendedRequests {
  const { initContainers = [], containers } = pod.spec!;
  const placed = [...initContainers, ...containers].map((container, index) => ({ index, container }));
  const isBrief = ({ index, container }: Placed) =>
    index < initContainers.length && container.restartPolicy !== 'Always';
  const requests: DeviceRequest[] = [];
  const mappings: ContainerExtendedResourceRequest[] = [];
  for (const [resource, className] of [...classes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const lasting = placed
      .filter((one) => !isBrief(one))
      .map((one) => ({ index: one.index, ...ask(one, resource, className, []) }));
    const brief = placed.filter(isBrief).map((one) => {
      const later = lasting.filter(({ index }) => index >= one.index).map(({ request }) => request);
      return ask(
        one,
        resource,
        className,
        later.filter((request) => request !== undefined),
      );
    });
    const shared = largest(brief);
    if (shared !== undefined) requests.push(shared);
    requests.push(...lasting.flatMap(({ request }) => request ?? []));
    mappings.push(...lasting.flatMap((asked) => asked.mappings), ...shareOne(brief, shared));
  }
  return { requests: requests.sort((a, b) => (a.name < b.name ? -1 : 1)), mappings };
}

/** @param reusable the devices to use before requesting more */
function ask(
  { index, container }: Placed,
  resource: string,
  deviceClassName: string,
  reusable: readonly DeviceRequest[],
): Asked {
  const asked = container.resources?.requests ?? {};
  const wanted = asked[resource] === undefined ? 0 : quantityValue(parseQuantity(asked[resource]));
  if (wanted === 0) return { mappings: [] };
  const mapping = (requestName: string) => ({
    containerName: container.name,
    resourceName: resource,
    requestName,
  });
  const mappings: ContainerExtendedResourceRequest[] = [];
  let found = 0;
  for (const { name, exactly } of reusable) {
    found += Number(exactly!.count);
    mappings.push(mapping(name));
    if (found >= wanted) return { mappings };
  }
  const name = `container-${index}-request-${Object.keys(asked).sort().indexOf(resource)}`;
  const exactly = { deviceClassName, allocationMode: 'ExactCount' as const, count: wanted - found };
  return { request: { name, exactly }, mappings: [...mappings, mapping(name)] };
}

/** Returns the first of the largest requests. */
function largest(asked: readonly Asked[]): DeviceRequest | undefined {
  const count = (request: DeviceRequest) => Number(request.exactly!.count);
  let most: DeviceRequest | undefined;
  for (const { request } of asked)
    if (request !== undefined && (most === undefined || count(request) > count(most))) most = request;
  return most;
}

/** Containers that run one after the other share devices. */
function shareOne(
  asked: readonly Asked[],
  shared: DeviceRequest | undefined,
): readonly ContainerExtendedResourceRequest[] {
  const own = new Set(asked.map(({ request }) => request?.name));
  return asked.flatMap(({ mappings }) =>
    mappings.map((mapping) =>
      shared !== undefined && own.has(mapping.requestName)
        ? { ...mapping, requestName: shared.name }
        : mapping,
    ),
  );
}
