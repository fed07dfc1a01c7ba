import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@coxswain/apimachinery';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadAuthorization, type AuthorizationFlags } from './load-authorization.ts';
import { webhookDefaults } from './webhook-defaults.ts';

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'authorization-'))));
afterEach(() => rmSync(directory, { recursive: true }));

const flags = (given: Partial<AuthorizationFlags>): AuthorizationFlags => ({
  modes: [],
  policyFile: '',
  configFile: '',
  webhookConfigFile: '',
  webhookVersion: webhookDefaults.version,
  webhookAuthorizedTtlMs: webhookDefaults.authorizedTtlMs,
  webhookUnauthorizedTtlMs: webhookDefaults.unauthorizedTtlMs,
  ...given,
});

const configuration = (...types: readonly string[]): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers: types.map((type) => ({ type, name: type.toLowerCase() })),
  });

test('a changed file is read within a minute; a wrong one is logged and changes nothing', async () => {
  const clock = new ManualClock();
  const logged: string[] = [];
  const configFile = join(directory, 'config.yaml');
  writeFileSync(configFile, configuration('Node', 'RBAC'));
  const reported: string[][] = [];

  const setup = loadAuthorization(flags({ configFile }), { clock, log: (line) => logged.push(line) });
  const outcomes: string[] = [];
  const stop = setup.follow!(
    (authorizers) => reported.push(authorizers.map(({ type }) => type)),
    (outcome) => outcomes.push(outcome),
  );
  writeFileSync(configFile, configuration('RBAC', 'Node'));
  await clock.advance(60_000);
  writeFileSync(configFile, configuration('RBAC'));
  await clock.advance(60_000);
  writeFileSync(configFile, configuration('RBAC', 'Node', 'ABAC'));
  await clock.advance(60_000);
  stop();

  expect(setup.authorizers.map(({ type }) => type)).toEqual(['Node', 'RBAC']);
  expect(reported).toEqual([['RBAC', 'Node']]);
  expect(outcomes).toEqual(['success', 'failure', 'failure']);
  expect(logged).toEqual([
    'reloaded authz config',
    'reloading authorization config: missing required types: [Node]',
    'reloading authorization config: authorizer type ABAC is not allowed if it was not enabled at initial server startup',
  ]);
});

describe('flags that make no sense are refused in the original’s words', () => {
  test.each<[Partial<AuthorizationFlags>, string]>([
    [{ modes: ['Foo'] }, 'authorization-mode "Foo" is not a valid mode'],
    [{ modes: ['RBAC', 'RBAC'] }, 'authorization-mode ["RBAC" "RBAC"] has mode specified more than once'],
    [{ modes: ['Webhook'] }, "authorization-mode Webhook's authorization config file not passed"],
    [{ modes: ['ABAC'] }, "authorization-mode ABAC's authorization policy file not passed"],
    [{ policyFile: '/x' }, 'cannot specify --authorization-policy-file without mode ABAC'],
    [{ webhookConfigFile: '/x' }, 'cannot specify --authorization-webhook-config-file without mode Webhook'],
    [
      { modes: ['ABAC'], policyFile: '/nope' },
      'invalid authorization config: open /nope: no such file or directory',
    ],
    [{ configFile: '/nope' }, 'open /nope: no such file or directory'],
    [
      { configFile: '/nope', modes: ['RBAC'] },
      '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
    ],
  ])('%j', (given, message) => {
    const parts = { clock: new ManualClock(), log: () => undefined };

    expect(() => loadAuthorization(flags(given), parts)).toThrow(message);
  });
});
