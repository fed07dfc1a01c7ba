import { expect, test } from 'vitest';
import { remainingMs, signingToken } from './bootstrap-token.ts';
import { detachedSignature } from './detached-signature.ts';

const nowMs = Date.UTC(2026, 0, 1);

const secret = (data: Readonly<Record<string, string>>, name = 'bootstrap-token-abcdef') => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'bootstrap.kubernetes.io/token',
  metadata: { name, namespace: 'kube-system' },
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, btoa(value)])),
});

const complete = {
  'token-id': 'abcdef',
  'token-secret': '0123456789abcdef',
  'usage-bootstrap-signing': 'true',
};

test('a token signs when it may, has the name of its id and has not expired', () => {
  const expired = { ...complete, expiration: '2025-12-31T23:59:59Z' };

  expect(signingToken(secret(complete), nowMs)).toEqual({ id: 'abcdef', secret: '0123456789abcdef' });
  expect(signingToken(secret(complete, 'bootstrap-token-other1'), nowMs)).toBeUndefined();
  expect(signingToken(secret({ ...complete, 'usage-bootstrap-signing': 'yes' }), nowMs)).toBeUndefined();
  expect(signingToken(secret(expired), nowMs)).toBeUndefined();
});

test('a time that cannot be read counts as past, none as far away', () => {
  expect(remainingMs(secret({ expiration: 'tomorrow' }), nowMs)).toBe(0);
  expect(remainingMs(secret({ expiration: '2026-01-01T00:01:00Z' }), nowMs)).toBe(60_000);
  expect(remainingMs(secret({}), nowMs)).toBeUndefined();
});

test('a signature names its key, and omits its contents', async () => {
  const signature = await detachedSignature('content', 'abcdef', '0123456789abcdef');

  expect(signature).toMatch(/^eyJhbGciOiJIUzI1NiIsImtpZCI6ImFiY2RlZiJ9\.\.[\w-]{43}$/);
});
