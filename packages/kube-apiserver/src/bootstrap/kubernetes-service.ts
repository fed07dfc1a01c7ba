/** The service `kubernetes`, by which pods reach this server, and its endpoints. */

import { isLoopback } from '../loopback-address.ts';
import { serverManager, type BootstrapBody, type BootstrapObject } from '../bootstrap-object.ts';

export interface KubernetesServiceOptions {
  /** The address at which other programs reach this server. */
  readonly advertiseAddress: string;
  readonly securePort: number;
  /** The first address of the service range. */
  readonly clusterIp: string;
  /** Whether to create the endpoints as well. */
  readonly withAddresses: boolean;
  /** 0 for none. */
  readonly nodePort: number;
}

const name = 'kubernetes';
const namespace = 'default';

/** The port for pods, whatever port this server listens on. */
const servicePort = 443;

export const kubernetesServiceObjects = (options: KubernetesServiceOptions): BootstrapObject[] => [
  object('', 'services', kubernetesService(options)),
  // Endpoints must not have a loopback address.
  ...(!options.withAddresses || isLoopback(options.advertiseAddress)
    ? []
    : [
        object('', 'endpoints', endpoints(options)),
        object('discovery.k8s.io', 'endpointslices', endpointSlice(options)),
      ]),
];

export const kubernetesService = ({
  clusterIp,
  securePort,
  nodePort,
}: Pick<KubernetesServiceOptions, 'clusterIp' | 'securePort' | 'nodePort'>): BootstrapBody => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace, labels: { component: 'apiserver', provider: 'kubernetes' } },
  spec: {
    ports: [
      {
        name: 'https',
        protocol: 'TCP',
        port: servicePort,
        targetPort: securePort,
        ...(nodePort > 0 && { nodePort }),
      },
    ],
    clusterIP: clusterIp,
    ipFamilyPolicy: 'SingleStack',
    sessionAffinity: 'None',
    type: nodePort > 0 ? 'NodePort' : 'ClusterIP',
  },
});

const endpoints = ({ advertiseAddress, securePort }: KubernetesServiceOptions): BootstrapBody => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  // The slice below already mirrors these.
  metadata: { name, namespace, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
  subsets: [{ addresses: [{ ip: advertiseAddress }], ports: [httpsPort(securePort)] }],
});

const endpointSlice = ({ advertiseAddress, securePort }: KubernetesServiceOptions): BootstrapBody => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name, namespace, labels: { 'kubernetes.io/service-name': name } },
  addressType: advertiseAddress.includes(':') ? 'IPv6' : 'IPv4',
  endpoints: [{ addresses: [advertiseAddress], conditions: { ready: true } }],
  ports: [httpsPort(securePort)],
});

const httpsPort = (port: number) => ({ name: 'https', protocol: 'TCP', port });

const object = (group: string, resource: string, body: BootstrapBody): BootstrapObject => ({
  group,
  version: 'v1',
  resource,
  manager: serverManager,
  object: body,
});
