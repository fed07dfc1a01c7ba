import type { EndpointSliceObject, ServiceObject } from '../src/model/plan-services.ts';

export const service = (
  name: string,
  spec: object = {},
  labels: Record<string, string> = {},
): ServiceObject =>
  ({
    metadata: { name, namespace: 'default', labels },
    spec: {
      type: 'ClusterIP',
      clusterIP: '10.0.0.10',
      ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
      ...spec,
    },
  }) as unknown as ServiceObject;

export const slice = (serviceName: string, endpoints: readonly object[]): EndpointSliceObject =>
  ({
    metadata: {
      name: `${serviceName}-1`,
      namespace: 'default',
      labels: { 'kubernetes.io/service-name': serviceName },
    },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints,
  }) as unknown as EndpointSliceObject;

export const endpoint = (ip: string, more: object = {}): object => ({
  addresses: [ip],
  conditions: { ready: true },
  ...more,
});
