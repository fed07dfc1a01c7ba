import { describe, expect, test } from 'vitest';
import { legacyVersion, onRequest, served } from './groups/resource.ts';
import { parseRuntimeConfig, runtimeConfig, type RuntimeConfig } from './runtime-config.ts';

const configOf = (text: string) => runtimeConfig(parseRuntimeConfig(text));

/** Group, version, resource, and whether upstream has removed it. */
const asked: Readonly<Record<string, Parameters<RuntimeConfig['serves']>>> = {
  deployments: ['apps', served('v1'), 'deployments', false],
  addresses: ['networking.k8s.io', onRequest('v1beta1'), 'ipaddresses', false],
  betaIngresses: ['networking.k8s.io', onRequest('v1beta1'), 'ingresses', true],
  oldIngresses: ['extensions', legacyVersion('v1beta1'), 'ingresses', true],
  oldDeployments: ['extensions', legacyVersion('v1beta1'), 'deployments', true],
};

test.each<[string, readonly string[]]>([
  ['', ['deployments']],
  ['api/all=true', ['deployments', 'addresses']],
  ['api/beta=true', ['deployments', 'addresses']],
  ['api/legacy=true', ['deployments', 'betaIngresses', 'oldIngresses', 'oldDeployments']],
  ['api/legacy=true,extensions/v1beta1=false', ['deployments', 'betaIngresses']],
  ['api/legacy=true,networking.k8s.io/v1beta1=false', ['deployments', 'oldIngresses', 'oldDeployments']],
  ['networking.k8s.io/v1beta1=true', ['deployments', 'addresses']],
  ['networking.k8s.io/v1beta1/ingresses=true', ['deployments', 'betaIngresses']],
  ['extensions/v1beta1=true', ['deployments', 'oldIngresses', 'oldDeployments']],
  ['extensions/v1beta1', ['deployments', 'oldIngresses', 'oldDeployments']],
  ['extensions/v1beta1/ingresses=true', ['deployments', 'oldIngresses']],
  ['extensions/v1beta1=true,extensions/v1beta1/ingresses=false', ['deployments', 'oldDeployments']],
  ['apps/v1=false', []],
  ['apps/v1/deployments=false', []],
  ['api/ga=false', []],
  ['api/all=false,apps/v1=true', ['deployments']],
])('%j serves what it names', (text, expected) => {
  const { serves } = configOf(text);

  const found = Object.entries(asked).filter(([, question]) => serves(...question));

  expect(found.map(([name]) => name)).toEqual(expected);
});

describe("invalid settings are refused with upstream's messages", () => {
  test.each([
    ['foo/v1=true', 'unknown api groups foo/v1'],
    ['foo/v1=true,apps/v1=true,bar/v2=x', 'unknown api groups foo/v1,bar/v2'],
    ['apps/v9=true', 'group version apps/v9 that has not been registered'],
    ['apps=true', 'runtime-config invalid key apps'],
    ['a/b/c/d=true', 'runtime-config invalid key a/b/c/d'],
    ['api/all=false', 'invalid runtime-config with only api/all=false'],
    ['api/beta=maybe', 'invalid value api/beta=maybe'],
    [
      'apps/v1=maybe',
      'invalid value of apps/v1: maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
    ['v1=maybe', 'invalid value of /v1: maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax'],
    [
      'apps/v1/Deployments=true',
      'invalid key apps/v1/Deployments: group/version/resource and resource is always lowercase plural, not "Deployments"',
    ],
  ])('%s', (text, message) => {
    expect(() => configOf(text)).toThrow(message);
  });
});
