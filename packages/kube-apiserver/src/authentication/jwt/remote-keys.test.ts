import { generateKeyPairSync, sign } from 'node:crypto';
import { systemClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { parseToken } from '../json-web-token.ts';
import { RemoteKeys } from './remote-keys.ts';

const pair = (publicExponent = 65_537) =>
  generateKeyPairSync('rsa', { modulusLength: 2_048, publicExponent });
type Pair = ReturnType<typeof pair>;

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function tokenOf({ privateKey }: Pair) {
  const text = `${encoded({ alg: 'RS256' })}.${encoded({ sub: 'jane' })}`;
  return parseToken(`${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`)!;
}

const stated = ({ publicKey }: Pair): object => publicKey.export({ format: 'jwk' });

const issuing = (keys: readonly object[]): RemoteKeys =>
  new RemoteKeys({
    url: 'https://issuer.test/keys',
    get: async () => ({ status: 200, statusLine: '200 OK', headers: {}, body: JSON.stringify({ keys }) }),
    clock: systemClock,
    fetched: () => undefined,
  });

test('keys that make verifying slow are not used: large exponents, and more keys than issuers have', async () => {
  const [usual, slow] = [pair(), pair(0x80_00_00_0b)];
  const others = Array.from({ length: 99 }, () => stated(slow));

  await expect(issuing([stated(usual)]).verify(tokenOf(usual))).resolves.toBeUndefined();
  await expect(issuing([stated(slow)]).verify(tokenOf(slow))).rejects.toThrow('failed to verify');
  await expect(issuing([...others, stated(usual)]).verify(tokenOf(usual))).resolves.toBeUndefined();
  const late = issuing([...others, stated(slow), stated(usual)]);
  await expect(late.verify(tokenOf(usual))).rejects.toThrow('failed to verify');
});
