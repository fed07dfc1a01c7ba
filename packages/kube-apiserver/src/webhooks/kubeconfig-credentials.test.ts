import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kubeconfigCredentials } from './kubeconfig-credentials.ts';
import { webhookEndpoint } from './webhook-endpoint.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'webhook-credentials-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** A kubeconfig whose users have their own names as tokens. */
function withUsers(names: readonly string[], current = ''): ReturnType<typeof kubeconfigCredentials> {
  const users = names.map((name) => ({ name, user: { token: name } }));
  const contexts = [{ name: 'now', context: { user: current } }];
  const file = join(directory, 'config');
  const config = { apiVersion: 'v1', kind: 'Config', users, contexts, 'current-context': 'now' };
  writeFileSync(file, JSON.stringify(config));
  return kubeconfigCredentials(file);
}

const service = (port?: number) =>
  webhookEndpoint({ service: { name: 'hook', namespace: 'ops', ...(port && { port }) } });
const url = (address: string) => webhookEndpoint({ url: address });

const seenBy = async (
  credentialsOf: ReturnType<typeof kubeconfigCredentials>,
  endpoint: ReturnType<typeof webhookEndpoint>,
) => credentialsOf(endpoint)?.authorization();

test.each([
  ['its service and port', ['*', '*.svc', '*.ops.svc:443', 'hook.ops.svc', 'hook.ops.svc:443']],
  ['any service and port of the namespace', ['*', '*.svc', 'hook.ops.svc', '*.ops.svc:443']],
  ['its service, as the port is that of HTTPS', ['*', '*.svc', 'hook.ops.svc']],
  ['any service', ['*', '*.svc']],
  ['anybody', ['other', '*']],
])('a service sees the user that is named for %s', async (_, names) => {
  expect(await seenBy(withUsers(names), service())).toBe(`Bearer ${names.at(-1)}`);
});

test('a name without a port does not match other ports', async () => {
  const credentialsOf = withUsers(['hook.ops.svc', 'hook.ops.svc:8443']);
  expect(await seenBy(credentialsOf, service(8443))).toBe('Bearer hook.ops.svc:8443');
  expect(await seenBy(credentialsOf, service(9443))).toBeUndefined();
});

test('a host sees the user that is named for it, and else that of the current context', async () => {
  const credentialsOf = withUsers(['hooks.example.com', 'me'], 'me');
  expect(await seenBy(credentialsOf, url('https://hooks.example.com/a'))).toBe('Bearer hooks.example.com');
  expect(await seenBy(credentialsOf, url('https://example.com:8443'))).toBe('Bearer me');
});

test('the file of a token is believed more than the token beside it', async () => {
  const tokenFile = join(directory, 'token');
  writeFileSync(tokenFile, 'newer');
  const file = join(directory, 'config');
  writeFileSync(file, JSON.stringify({ users: [{ name: '*', user: { token: 'older', tokenFile } }] }));

  expect(await seenBy(kubeconfigCredentials(file), service())).toBe('Bearer newer');
});

test('a missing file is reported at once', () => {
  expect(() => kubeconfigCredentials('/nowhere/config')).toThrow(
    'stat /nowhere/config: no such file or directory',
  );
});
