/** The allocated service addresses, as the allocators see them. */
import type { IpFamily } from './ip-family.ts';

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
}

export interface IpAllocator {
  /** Uses only local knowledge; the allocation itself decides. */
  isTaken(ip: string): boolean;
  /** @throws StatusError AlreadyExists */
  add(ip: string, family: IpFamily, service: ServiceReference): Promise<void>;
  /** Does nothing for an address that isn't allocated. */
  remove(ip: string): Promise<void>;
}

export const familyLabel = 'ipaddress.kubernetes.io/ip-family';
const managedByLabel = 'ipaddress.kubernetes.io/managed-by';
const allocatorName = 'ipallocator.k8s.io';

export const isManagedByAllocator = ({ metadata }: Labelled): boolean =>
  metadata.labels?.[managedByLabel] === allocatorName;

interface Labelled {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
}

/** The IPAddress object that allocates `ip` to a service. */
export const ipAddressOf = (ip: string, family: IpFamily, service: ServiceReference) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IPAddress',
  metadata: {
    name: ip,
    labels: {
      [familyLabel]: family,
      [managedByLabel]: allocatorName,
    },
  },
  spec: { parentRef: { resource: 'services', namespace: service.namespace, name: service.name } },
});
