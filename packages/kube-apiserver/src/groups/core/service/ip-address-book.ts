/** Which service addresses are taken, as the allocators see it. */
import type { IpFamily } from './ip-family.ts';

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
}

export interface IpAddressBook {
  /** What is known without asking; a claim decides. */
  isTaken(ip: string): boolean;
  /** @throws StatusError AlreadyExists */
  add(ip: string, family: IpFamily, service: ServiceReference): Promise<void>;
  /** Does nothing for an address that isn't there. */
  remove(ip: string): Promise<void>;
}

/** The IPAddress object that takes `ip` for a service. */
export const ipAddressOf = (ip: string, family: IpFamily, service: ServiceReference) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IPAddress',
  metadata: {
    name: ip,
    labels: {
      'ipaddress.kubernetes.io/ip-family': family,
      'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
    },
  },
  spec: { parentRef: { resource: 'services', namespace: service.namespace, name: service.name } },
});
