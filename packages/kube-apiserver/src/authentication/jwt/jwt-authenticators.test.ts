import { generateKeyPairSync, sign } from 'node:crypto';
import { ManualClock } from '@coxswain/apimachinery';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { expect, test } from 'vitest';
import { jwtAuthenticators } from './jwt-authenticators.ts';
import type { ExchangeAuthenticators, HttpResponse, JwtSettings } from './jwt-settings.ts';
import { readStatedConfiguration } from './stated-configuration.ts';

const issuer = 'https://issuer.example';
const first = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const second = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

interface Given {
  readonly mapping?: object;
  readonly more?: object;
  /** The Cache-Control header of the key set. */
  readonly cacheControl?: string;
  readonly follow?: JwtSettings['follow'];
  /** The response to requests for the key set, when it is not the key set. */
  readonly refusal?: HttpResponse;
}

const configuration = (mapping: object, more: object, url = issuer) =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [{ issuer: { url, audiences: ['app'] }, claimMappings: mapping, ...more }],
  });

const byClaim = { username: { claim: 'sub', prefix: 'it:' } };

async function settledAuthenticators({
  mapping = byClaim,
  more = {},
  cacheControl,
  follow,
  refusal,
}: Given = {}) {
  const clock = new ManualClock();
  const metrics = new Metrics();
  const fetched: string[] = [];
  const keys = [{ ...first.publicKey.export({ format: 'jwk' }), kid: 'first' }];
  const logged: string[] = [];
  const answer = (body: object, headers = {}): HttpResponse => ({
    status: 200,
    statusLine: '200 OK',
    headers,
    body: JSON.stringify(body),
  });
  const get = (url: string): Promise<HttpResponse> => {
    fetched.push(url);
    if (url === `${issuer}/keys`) {
      if (refusal !== undefined) return Promise.resolve(refusal);
      return Promise.resolve(
        answer({ keys }, cacheControl === undefined ? {} : { 'cache-control': cacheControl }),
      );
    }
    return url === `${issuer}/.well-known/openid-configuration`
      ? Promise.resolve(answer({ issuer, jwks_uri: `${issuer}/keys` }))
      : Promise.reject(new Error('connection refused'));
  };
  const text = configuration(mapping, more);
  const tokens = jwtAuthenticators(
    {
      authenticators: readStatedConfiguration(text).jwt!,
      signingAlgorithms: ['ES256'],
      client: () => get,
      configuration: text,
      ...(follow && { follow }),
    },
    { clock, metrics, log: (line) => logged.push(line), serverId: 'server' },
  );
  await clock.advance(0);
  return { tokens, clock, fetched, keys, logged, metrics };
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function token(claims: object, { key = first, kid = 'first' } = {}): string {
  const exp = Date.UTC(2027, 0) / 1000;
  const head = encode({ alg: 'ES256', kid });
  const signed = `${head}.${encode({ iss: issuer, aud: 'app', sub: 'jane', exp, ...claims })}`;
  const by = { key: key.privateKey, dsaEncoding: 'ieee-p1363' } as const;
  return `${signed}.${sign('sha256', Buffer.from(signed), by).toString('base64url')}`;
}

test('claims become the user that the configuration says', async () => {
  const { tokens } = await settledAuthenticators({
    mapping: {
      username: { expression: "claims.org + '/' + claims.sub" },
      groups: { expression: "claims.roles.split(',').map(role, 'it:' + role)" },
      uid: { claim: 'id' },
      extra: [{ key: 'acme.com/level', valueExpression: 'claims.a__dot__b' }],
    },
  });

  const found = await tokens.authenticateToken(
    token({ org: 'acme', roles: 'dev,ops', id: 'u1', 'a.b': 'high', jti: 'x' }),
    [],
  );

  expect(found).toEqual({
    kind: 'authenticated',
    user: {
      name: 'acme/jane',
      groups: ['it:dev', 'it:ops'],
      uid: 'u1',
      extra: { 'authentication.kubernetes.io/credential-id': ['JTI=x'], 'acme.com/level': ['high'] },
    },
  });
});

test('rules refuse claims and users, and say why', async () => {
  const { tokens } = await settledAuthenticators({
    more: {
      claimValidationRules: [{ expression: 'claims.level > 1.0', message: 'too low' }],
      userValidationRules: [{ expression: "user.username != 'it:root'", message: 'reserved' }],
    },
  });
  const reasonsFor = async (claims: object) => {
    const found = await tokens.authenticateToken(token(claims), []);
    return found.kind === 'refused' ? found.reasons : found.kind;
  };

  expect(await reasonsFor({ level: 2 })).toBe('authenticated');
  expect(await reasonsFor({ level: 1 })).toEqual([
    "oidc: error evaluating claim validation expression: validation expression 'claims.level > 1.0' failed: too low",
  ]);
  expect(await reasonsFor({ level: 2, sub: 'root' })).toEqual([
    "oidc: error evaluating user info validation rule: validation expression 'user.username != 'it:root'' failed: reserved",
  ]);
});

test('a token of another issuer is left to other authenticators', async () => {
  const { tokens, fetched } = await settledAuthenticators();

  expect(await tokens.authenticateToken(token({ iss: 'https://other.example' }), [])).toEqual({
    kind: 'absent',
  });
  expect(await tokens.authenticateToken('no.jwt', [])).toEqual({ kind: 'absent' });
  expect(fetched).not.toContain(`${issuer}/keys`);
});

test('keys are fetched once, again for a new one, and not for every token with a wrong signature', async () => {
  const { tokens, fetched, keys, clock } = await settledAuthenticators();
  const isIn = async (text: string) => (await tokens.authenticateToken(text, [])).kind === 'authenticated';
  const fetches = () => fetched.filter((url) => url.endsWith('/keys')).length;

  expect([await isIn(token({})), await isIn(token({ n: 2 })), fetches()]).toEqual([true, true, 1]);
  for (let at = 0; at < 100; at++) expect(await isIn(token({ at }, { kid: `unknown-${at}` }))).toBe(false);
  expect(fetches()).toBe(1);

  keys.push({ ...second.publicKey.export({ format: 'jwk' }), kid: 'second' });
  await clock.advance(1000);
  expect(await isIn(token({}, { key: second, kid: 'second' }))).toBe(true);
  expect(fetches()).toBe(2);
});

test('an issuer that answers with errors is not asked for every token, and not quoted without end', async () => {
  const refusal = { status: 500, statusLine: '500 Oops', headers: {}, body: 'x'.repeat(100_000) };
  const { tokens, fetched, clock } = await settledAuthenticators({ refusal });
  const fetches = () => fetched.filter((url) => url.endsWith('/keys')).length;
  for (let at = 0; at < 100; at++) {
    const answer = await tokens.authenticateToken(token({ at }), []);
    expect(JSON.stringify(answer).length).toBeLessThan(2_000);
    expect(JSON.stringify(answer)).toContain('get keys failed: 500 Oops');
  }
  expect(fetches()).toBe(1);

  await clock.advance(1000);
  await tokens.authenticateToken(token({}), []);
  expect(fetches()).toBe(2);
});

test('keys are not fetched again while they are cached', async () => {
  const { tokens, fetched, clock } = await settledAuthenticators({ cacheControl: 'public, max-age=3600' });
  await tokens.authenticateToken(token({}), []);

  await clock.advance(30 * 60 * 1000);
  await tokens.authenticateToken(token({}, { kid: 'unknown' }), []);
  const before = fetched.length;
  await clock.advance(30 * 60 * 1000);
  await tokens.authenticateToken(token({}, { kid: 'unknown' }), []);

  expect([before, fetched.length]).toEqual([2, 3]);
});

test('new issuers take over once they have answered; those that never do leave the old ones', async () => {
  let exchange: ExchangeAuthenticators | undefined;
  const { tokens, clock, metrics } = await settledAuthenticators({
    follow: (given) => {
      exchange = given;
      return () => undefined;
    },
  });
  const nameOf = async () => {
    const found = await tokens.authenticateToken(token({}), []);
    return found.kind === 'authenticated' ? found.user.name : found.kind;
  };
  const change = async (prefix: string, url: string) => {
    const text = configuration({ username: { claim: 'sub', prefix } }, {}, url);
    const done = exchange!({ authenticators: readStatedConfiguration(text).jwt!, configuration: text }).then(
      () => 'taken',
      (failure: Error) => failure.message,
    );
    await clock.advance(70_000);
    return done;
  };

  expect(await nameOf()).toBe('it:jane');
  expect(await change('new:', issuer)).toBe('taken');
  expect(await nameOf()).toBe('new:jane');
  expect(await change('dead:', 'https://dead.example')).toContain('is not healthy: connection refused');
  expect(await nameOf()).toBe('new:jane');
  const reloads = metrics
    .exposition()
    .match(/automatic_reloads_total\{.*status="\w+"\} \d|automatic_reloads_total\{status.*/g);
  expect(reloads).toHaveLength(2);
  tokens.stop();
});
