/**
 * The objects that publish the DNS server in the cluster: a Service without a selector, and an EndpointSlice with its
 * address.
 */
import type { KubeObject } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';
import { writeMerged } from '../components/write-merged.ts';

export const nameServerNamespace = 'kube-system';
/** The name that installers use, whatever the implementation. */
export const nameServerService = 'kube-dns';
export const nameServerSlice = 'kube-dns-coxswain';
const port = 53;
const portNames = { UDP: 'dns', TCP: 'dns-tcp' } as const;

export interface NameServer {
  /** The cluster IP of the Service, which pods query. */
  readonly clusterIp: string;
  /** The address at which the server answers. */
  readonly address: string;
  readonly port: number;
}

/** Creates both objects, or points existing ones to this server. @throws StatusError if the cluster refuses them */
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

/** Allows the fields of specific kinds. */
const asObject = (object: KubeObject & Readonly<Record<string, unknown>>): KubeObject => object;

const protocols = ['UDP', 'TCP'] as const;
