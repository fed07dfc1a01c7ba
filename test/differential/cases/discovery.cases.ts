/** Discovery, descriptions, versions and health, asked for in every form and by what the client has already. */
import { ask, type DifferentialCase } from './case.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

const aggregated = (version: string, more = ''): string =>
  `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList${more}`;
const accepts = [
  'application/json',
  aggregated('v2'),
  aggregated('v2beta1'),
  aggregated('v1'),
  aggregated('v2', ';profile=nopeer'),
  aggregated('v2', ';profile=x'),
  `${aggregated('v2')},${aggregated('v2beta1')},application/json`,
  `application/json;q=0.9,${aggregated('v2')};q=0.1`,
  'application/json;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList',
  'application/yaml',
  'application/yaml;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  '*/*',
  'text/plain',
  '',
];
const paths = [
  '/api',
  '/apis',
  '/api/v1',
  '/apis/apps',
  '/apis/apps/v1',
  '/apis/apps/v1beta1',
  '/apis/nosuch',
  '/apis/nosuch/v1',
  '/api/v2',
];
const headers = { 'accept-encoding': 'identity' };
const brief: Partial<Step> = {
  headers,
  pick: [
    'kind',
    'apiVersion',
    'message',
    'reason',
    'code',
    'groupVersion',
    'items.*.metadata.name',
    'groups.*.name',
    'versions',
    'serverAddressByClientCIDRs.*.clientCIDR',
    '@headers.content-type',
    '@headers.cache-control',
  ],
};

const health = ['/healthz', '/livez', '/readyz'];
const healthQueries = [
  '',
  '?verbose',
  '?verbose=false',
  '?exclude=etcd',
  '?verbose&exclude=etcd',
  '?verbose&exclude=nosuch',
  '?exclude=nosuch',
  '?exclude=etcd&exclude=ping',
  '?verbose&exclude=etcd,ping',
  '?allowed=x',
];
const checks = [
  'ping',
  'log',
  'etcd',
  'etcd-readiness',
  'nosuch',
  'informer-sync',
  'shutdown',
  'poststarthook/rbac/bootstrap-roles',
  'poststarthook/nosuch',
  'autoregister-completion',
];
const others = [
  '/version',
  '/version/',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/nosuch',
  '/openapi/v3/api/v9',
  '/openapi',
  '/',
  '/logs',
  '/.well-known/openid-configuration',
  '/openid/v1/jwks',
  '/swagger.json',
  '/swaggerapi',
  '/ui',
  '/index.html',
  '/robots.txt',
  '/favicon.ico',
];
const methods = ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'];

export const cases: readonly DifferentialCase[] = [
  {
    name: 'forms',
    cluster: true,
    steps: paths.flatMap((path) =>
      accepts.map((accept) =>
        ask(`GET ${path}`, undefined, {
          accept,
          ...(accept.startsWith('application/yaml') ? { quiet: true } : brief),
        }),
      ),
    ),
  },
  {
    name: 'methods',
    cluster: true,
    steps: [...paths, ...health, ...others].flatMap((path) =>
      methods.map((method) => ask(`${method} ${path}`, undefined, brief)),
    ),
  },
  {
    name: 'health',
    cluster: true,
    steps: health.flatMap((path) => [
      ...healthQueries.map((query) => ask(`GET ${path}${query}`)),
      ...checks.flatMap((check) => [ask(`GET ${path}/${check}`), ask(`GET ${path}/${check}?verbose`)]),
      ask(`GET ${path}`, undefined, { as: 'anonymous' }),
      ask(`GET ${path}?verbose`, undefined, { as: 'alice' }),
      ask(`GET ${path}/etcd`, undefined, { as: 'alice' }),
    ]),
  },
  {
    name: 'others',
    cluster: true,
    steps: others.flatMap((path) =>
      ['application/json', 'text/plain', 'application/yaml', '*/*', 'application/xml']
        .map((accept) => ask(`GET ${path}`, undefined, { accept, quiet: true, headers }))
        .concat([
          ask(`GET ${path}`, undefined, { as: 'alice', quiet: true, headers }),
          ask(`GET ${path}`, undefined, { as: 'anonymous', quiet: true, headers }),
        ]),
    ),
  },
];
