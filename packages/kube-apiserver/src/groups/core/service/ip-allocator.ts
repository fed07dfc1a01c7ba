/** Which service addresses are taken, as the allocators see it. */
import type { IpFamily } from './ip-family.ts';

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
}

export interface IpAllocator {
  /** What is known without asking; a claim decides. */
  isTaken(ip: string): boolean;
  /** @throws StatusError AlreadyExists */
  add(ip: string, family: IpFamily, service: ServiceReference): Promise<void>;
  /** Does nothing for an address that isn't there. */
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

/** The IPAddress object that takes `ip` for a service. */
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
