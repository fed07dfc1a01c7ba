import { expect, test } from 'vitest';
import { bytePipe } from './byte-pipe.ts';
import { listenAddresses } from './listeners.ts';
import { keySequence } from './local-streams.ts';
import { forwardedPorts, meantPorts } from './ports.ts';
import { expressions, isAccepted } from './proxy-filter.ts';

const pod = {
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: {
    containers: [
      {
        ports: [
          { name: 'http', containerPort: 8080 },
          { name: 'dns', containerPort: 53, protocol: 'UDP' },
        ],
      },
    ],
  },
};
const service = {
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { ports: [{ name: 'web', port: 80, targetPort: 'http' }] },
};

test.each([
  ['5000', pod, { local: 5000, remote: 5000 }],
  ['8888:5000', pod, { local: 8888, remote: 5000 }],
  [':5000', pod, { local: 0, remote: 5000 }],
  ['http', pod, { local: 8080, remote: 8080 }],
  ['9:http', pod, { local: 9, remote: 8080 }],
  ['1:2:3', pod, { local: 1, remote: 1 }],
  ['80', service, { local: 80, remote: 8080 }],
  ['web', service, { local: 80, remote: 8080 }],
  ['9:web', service, { local: 9, remote: 8080 }],
])('port %s of a %s', (text, object, expected) => {
  expect(forwardedPorts(meantPorts([text], object, pod))).toEqual([expected]);
});

test.each([
  ['dns', pod, 'UDP protocol is not supported for dns'],
  ['53', pod, 'UDP protocol is not supported for 53'],
  ['nope', pod, "Pod 'web' does not have a named port 'nope'"],
  ['81', service, 'Service web does not have a service port 81'],
  ['a:80', pod, "error parsing local port 'a'"],
  ['80:', pod, 'remote port cannot be empty'],
  ['70000', pod, "error parsing local port '70000'"],
  ['0', pod, 'remote port must be > 0'],
])('port %s is refused', (text, object, message) => {
  expect(() => forwardedPorts(meantPorts([text], object, pod))).toThrow(message);
});

test('localhost is both of its addresses, either of which is enough', () => {
  expect(listenAddresses(['localhost', '10.0.0.1'])).toEqual([
    { address: '10.0.0.1', isOptional: false },
    { address: '127.0.0.1', isOptional: true },
    { address: '::1', isOptional: true },
  ]);
  expect(() => listenAddresses(['example.org'])).toThrow('example.org is not a valid IP');
});

test('keys to detach are control characters or letters', () => {
  expect(keySequence('ctrl-p,ctrl-q,x')).toEqual([16, 17, 120]);
  expect(() => keySequence('ctrl-pp')).toThrow("Unknown character: 'ctrl-pp'");
});

test('the proxy lets through what its expressions accept and none rejects', () => {
  const filter = {
    acceptPaths: expressions('^/.*'),
    rejectPaths: expressions('^/api/.*/pods/.*/exec,^/secret'),
    acceptHosts: expressions('^localhost$,^127\\.0\\.0\\.1$,^\\[::1\\]$'),
    rejectMethods: expressions('^POST$'),
  };
  const accepted = (method: string, place: string, host = 'localhost:8001') =>
    isAccepted(filter, method, place, host);

  expect(accepted('GET', '/api/v1/pods')).toBe(true);
  expect(accepted('GET', '/', '127.0.0.1:1')).toBe(true);
  expect(accepted('GET', '/', 'evil.example:8001')).toBe(false);
  expect(accepted('POST', '/api/v1/pods')).toBe(false);
  expect(accepted('GET', '/api/v1/namespaces/a/pods/b/exec')).toBe(false);
  expect(() => expressions('(')).toThrow('error parsing regexp: missing closing )');
});

test('a pipe ends with the failure that it is given, after all that was written', async () => {
  const pipe = bytePipe();
  void pipe.write(Uint8Array.of(1));
  pipe.end(new Error('broke off'));
  const seen: number[] = [];

  await expect(
    (async () => {
      for await (const chunk of pipe) seen.push(...chunk);
    })(),
  ).rejects.toThrow('broke off');
  expect(seen).toEqual([1]);
});
