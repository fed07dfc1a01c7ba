/** What the cluster holds of its name server: a Service without a selector, and a slice with the address behind it. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';
import { writeMerged } from '../components/write-merged.ts';

export const nameServerNamespace = 'kube-system';
/** As installers call it, whatever serves it. */
export const nameServerService = 'kube-dns';
export const nameServerSlice = 'kube-dns-coxswain';
const port = 53;
const portNames = { UDP: 'dns', TCP: 'dns-tcp' } as const;

export interface NameServer {
  /** Of the Service: what pods ask. */
  readonly clusterIp: string;
  /** Where questions are answered. */
  readonly address: string;
  readonly port: number;
}

/** Makes both, or makes those that there are point here. @throws StatusError where the cluster refuses them */
export async function publishNameServer(client: KubeClient, server: NameServer): Promise<void> {
  await writeMerged(client.resource('v1', 'services').namespace(nameServerNamespace), serviceOf(server));
  const slices = client.resource('discovery.k8s.io/v1', 'endpointslices').namespace(nameServerNamespace);
  await writeMerged(slices, sliceOf(server));
}

const serviceOf = ({ clusterIp }: NameServer): KubeObject =>
  asObject({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: nameServerService,
      namespace: nameServerNamespace,
      labels: {
        'k8s-app': 'kube-dns',
        'kubernetes.io/cluster-service': 'true',
        'kubernetes.io/name': 'CoreDNS',
      },
    },
    spec: {
      clusterIP: clusterIp,
      clusterIPs: [clusterIp],
      ports: protocols.map((protocol) => ({ name: portNames[protocol], port, targetPort: port, protocol })),
    },
  });

const sliceOf = (server: NameServer): KubeObject =>
  asObject({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: nameServerSlice,
      namespace: nameServerNamespace,
      labels: {
        'kubernetes.io/service-name': nameServerService,
        'endpointslice.kubernetes.io/managed-by': 'cluster-dns.coxswain.io',
      },
    },
    addressType: server.address.includes(':') ? 'IPv6' : 'IPv4',
    endpoints: [{ addresses: [server.address], conditions: { ready: true } }],
    ports: protocols.map((protocol) => ({ name: portNames[protocol], port: server.port, protocol })),
  });

/** The parts that its kind has are its own. */
const asObject = (object: KubeObject & Readonly<Record<string, unknown>>): KubeObject => object;

const protocols = ['UDP', 'TCP'] as const;
