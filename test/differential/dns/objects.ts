/** What a cluster has that names are asked of: services of every sort, and endpoints with and without names. */
import type { KubeObject } from '@coxswain/apimachinery';

export const namespace = 'names';

const meta = (name: string) => ({ name, namespace });

const service = (name: string, spec: object): KubeObject & { readonly spec: object } => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: meta(name),
  spec,
});

const slice = (
  name: string,
  of: string,
  addressType: string,
  more: object,
): KubeObject & { readonly addressType: string } => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { ...meta(name), labels: { 'kubernetes.io/service-name': of } },
  addressType,
  ...more,
});

export const services: readonly KubeObject[] = [
  service('web', {
    clusterIP: '10.96.7.7',
    selector: { a: 'b' },
    ports: [
      { name: 'http', port: 80 },
      { name: 'dns', protocol: 'UDP', port: 53 },
    ],
  }),
  service('db', { clusterIP: 'None', ports: [{ name: 'sql', port: 5432 }] }),
  service('idle', { clusterIP: 'None', selector: { x: 'z' }, ports: [{ port: 1 }] }),
  service('noports', { clusterIP: 'None' }),
  service('away', { type: 'ExternalName', externalName: 'example.org' }),
  service('alias', { type: 'ExternalName', externalName: `web.${namespace}.svc.cluster.local` }),
  service('circle', { type: 'ExternalName', externalName: `circle.${namespace}.svc.cluster.local` }),
  service('ext-ip', { type: 'ExternalName', externalName: '1.2.3.4' }),
];

const sql = { ports: [{ name: 'sql', port: 5432 }] };

export const slices: readonly KubeObject[] = [
  slice('db-1', 'db', 'IPv4', {
    ...sql,
    endpoints: [
      { addresses: ['10.244.0.2'], hostname: 'db-0', conditions: { ready: true } },
      { addresses: ['10.244.0.3'] },
      { addresses: ['10.244.0.4'], conditions: { ready: false } },
    ],
  }),
  slice('db-2', 'db', 'IPv6', {
    ...sql,
    endpoints: [{ addresses: ['fd00::'] }, { addresses: ['fd00:1::7'] }],
  }),
  slice('np-1', 'noports', 'IPv4', {
    endpoints: [{ addresses: ['10.244.0.9'], hostname: 'solo' }],
    ports: [],
  }),
  slice('web-1', 'web', 'IPv4', {
    endpoints: [{ addresses: ['10.244.0.11'] }],
    ports: [{ name: 'http', port: 8080 }],
  }),
];
