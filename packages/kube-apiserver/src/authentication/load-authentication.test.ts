import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@coxswain/apimachinery';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AuthenticationFlags } from './authentication-flags.ts';
import { authenticationDefaults } from './default-flags.ts';
import { loadAuthentication } from './load-authentication.ts';

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'authentication-'))));
afterEach(() => rmSync(directory, { recursive: true }));

const load = (flags: Partial<AuthenticationFlags>) =>
  loadAuthentication(
    { ...authenticationDefaults, ...flags },
    { clock: new ManualClock(), log: () => undefined, enabled: () => true },
  );

const { oidc, requestHeader } = authenticationDefaults;

describe("contradictory flags are refused with upstream's messages", () => {
  test.each<[Partial<AuthenticationFlags>, string]>([
    [
      { oidc: { ...oidc, isGiven: true, issuerUrl: 'https://a' } },
      'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set',
    ],
    [
      { oidc: { ...oidc, isGiven: true, issuerUrl: 'http://a', clientId: 'b' } },
      'invalid authentication configuration: jwt[0].issuer.url: Invalid value: "http://a": URL scheme must be https',
    ],
    [
      { configFile: 'x', oidc: { ...oidc, isGiven: true, issuerUrl: 'https://a', clientId: 'b' } },
      'authentication-config file and oidc-* flags are mutually exclusive',
    ],
    [
      { requestHeader: { ...requestHeader, uidHeaders: ['X-Uid'] } },
      '--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API aggregation will not work',
    ],
    [
      { requestHeader: { ...requestHeader, groupHeaders: [' '] } },
      'empty value in "requestheader-group-headers"',
    ],
    [{ tokenAuthFile: '/nonexistent' }, 'open /nonexistent: no such file or directory'],
  ])('%j', (flags, message) => {
    expect(() => load(flags)).toThrow(new Error(message));
  });
});

describe('a configuration that makes no sense is refused in the original’s words', () => {
  const good = { url: 'https://a', audiences: ['x'] };
  const username = { claim: 'sub', prefix: '' };

  test.each<[string, object, string]>([
    [
      'nothing in it',
      {},
      '[jwt[0].issuer.url: Required value, jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required, jwt[0].claimMappings.username: Required value: claim or expression is required]',
    ],
    [
      'a claim without a prefix',
      { issuer: good, claimMappings: { username: { claim: 'sub' } } },
      'jwt[0].claimMappings.username.prefix: Required value: prefix is required when claim is set. It can be set to an empty string to disable prefixing',
    ],
    [
      'an address that nobody has verified',
      { issuer: good, claimMappings: { username: { expression: 'claims.email' } } },
      'jwt[0].claimMappings.username.expression: Invalid value: "claims.email": claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression',
    ],
    [
      'a rule that is no condition',
      { issuer: good, claimMappings: { username }, userValidationRules: [{ expression: 'user.username' }] },
      'jwt[0].userValidationRules[0].expression: Invalid value: "user.username": must evaluate to bool',
    ],
    [
      'a key of Kubernetes',
      {
        issuer: good,
        claimMappings: { username, extra: [{ key: 'a.k8s.io/b', valueExpression: '"c"' }] },
      },
      'jwt[0].claimMappings.extra[0].key: Invalid value: "a.k8s.io/b": k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use',
    ],
    [
      'two audiences and no policy',
      { issuer: { ...good, audiences: ['x', 'y'] }, claimMappings: { username } },
      'jwt[0].issuer.audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be MatchAny for multiple audiences',
    ],
  ])('%s', (_what, authenticator, message) => {
    const configFile = join(directory, 'config.yaml');
    const head = { apiVersion: 'apiserver.config.k8s.io/v1beta1', kind: 'AuthenticationConfiguration' };
    writeFileSync(configFile, JSON.stringify({ ...head, jwt: [authenticator] }));

    expect(() => load({ configFile })).toThrow(new Error(`invalid authentication configuration: ${message}`));
  });
});

test('paths that anonymous requests may reach come from the file, unless the flag says something too', () => {
  const configFile = join(directory, 'config.yaml');
  writeFileSync(
    configFile,
    JSON.stringify({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AuthenticationConfiguration',
      anonymous: { enabled: true, conditions: [{ path: '/livez' }] },
    }),
  );

  expect(load({ configFile }).setup.anonymous).toEqual({ enabled: true, paths: ['/livez'] });
  expect(() => load({ configFile, isAnonymousAuthGiven: true })).toThrow(
    'anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file',
  );
});
