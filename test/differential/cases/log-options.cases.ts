/** Query parameters of a pod's log: unknown, bad, gated, and what validation says of them. */
import { ask, type DifferentialCase } from './case.ts';

const pod = '/api/v1/namespaces/$ns/pods/one';
const numbers = ['0', '-1', '1', 'x', '', '1.5', '9223372036854775807', '9223372036854775808', '1e3', ' 1'];
const flags = ['true', 'false', 'True', '1', '0', 'x', '', 't'];
const values: Readonly<Record<string, readonly string[]>> = {
  tailLines: numbers,
  limitBytes: numbers,
  sinceSeconds: numbers,
  sinceTime: ['2024-01-01T00:00:00Z', '2024-01-01', 'x', '', '2024-01-01T00:00:00.5Z', 'null'],
  follow: flags,
  previous: flags,
  timestamps: flags,
  insecureSkipTLSVerifyBackend: flags,
  container: ['c', 'nosuch', '', 'i', 'A B'],
  stream: ['All', 'Stdout', 'Stderr', 'stdout', 'all', 'x', ''],
  nosuch: ['1'],
  pretty: ['true', 'x'],
};
const pairs = [
  'sinceSeconds=1&sinceTime=2024-01-01T00:00:00Z',
  'tailLines=1&stream=Stdout',
  'tailLines=1&stream=All',
  'tailLines=-1&limitBytes=0&sinceSeconds=0&stream=x',
  'tailLines=1&tailLines=x',
  'container=c&container=nosuch',
  'stream=Stderr&follow=true&previous=x',
  'follow=true&previous=true',
  'limitBytes=0',
  'sinceSeconds=0&sinceTime=',
];
const queries = [
  ...Object.entries(values).flatMap(([name, texts]) =>
    texts.map((text) => `${name}=${encodeURIComponent(text)}`),
  ),
  ...pairs,
];

const containers = [
  { name: 'c', image: 'i' },
  { name: 'd', image: 'i' },
];
const specs = {
  one: { containers: containers.slice(0, 1) },
  two: { containers, initContainers: [{ name: 'i', image: 'i' }] },
};

export const cases: readonly DifferentialCase[] = Object.entries(specs).map(([name, spec]) => ({
  name,
  steps: [
    ask('POST /api/v1/namespaces/$ns/pods', { metadata: { name: 'one' }, spec }),
    ...queries.map((query) => ask(`GET ${pod}/log?${query}`)),
    ...queries.map((query) => ask(`GET /api/v1/namespaces/$ns/pods/nosuch/log?${query}`)),
    ask('PUT /api/v1/namespaces/$ns/pods/one/log'),
    ask('DELETE /api/v1/namespaces/$ns/pods/one/log'),
  ],
}));
