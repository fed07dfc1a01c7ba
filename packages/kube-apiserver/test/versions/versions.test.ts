/** The served resources and enabled features of each version of Kubernetes that can be emulated. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { versionNamed } from '@coxswain/component-base/effective-version.ts';
import { featureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { knownFeatures } from '@coxswain/component-base/features/known-features.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startedServer, type StartedServer } from '../../src/testing/started-server.ts';
import type { AssemblyOptions } from '../../src/assemble.ts';

interface Facts {
  readonly version: Readonly<Record<string, string>>;
  /** `BETA 1`, as in the metric. */
  readonly gates: Readonly<Record<string, string>>;
  /** `group/version/resource`, and the same with a subresource. */
  readonly served: readonly string[];
  /** With `--runtime-config=api/all=true`. */
  readonly servedWithAll: readonly string[];
}

/** Recorded from upstream with `--emulated-version`. */
const facts = Object.entries(
  JSON.parse(
    gunzipSync(readFileSync(new URL('original-versions.json.gz', import.meta.url))).toString(),
  ) as Record<string, Facts>,
);

async function started(options: Partial<AssemblyOptions>): Promise<StartedServer> {
  const server = await startedServer(options);
  onTestFinished(() => server.stop());
  return server;
}

interface Discovered {
  readonly metadata: { readonly name?: string };
  readonly versions: readonly {
    readonly version: string;
    readonly resources?: readonly {
      readonly resource: string;
      readonly subresources?: readonly { readonly subresource: string }[];
    }[];
  }[];
}

async function servedBy({ send }: StartedServer): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of ['/api', '/apis']) {
    const { body } = await send('GET', path, undefined, undefined, undefined, aggregated);
    for (const { metadata, versions } of body.items as readonly Discovered[]) {
      for (const { version, resources = [] } of versions) {
        for (const { resource, subresources = [] } of resources) {
          const name = `${metadata.name ?? ''}/${version}/${resource}`;
          found.push(name, ...subresources.map(({ subresource }) => `${name}/${subresource}`));
        }
      }
    }
  }
  return found.toSorted();
}

const aggregated = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };

describe.each(facts)('as %s', (name, expected) => {
  const version = versionNamed(name);

  test('the server says so', async () => {
    const { send } = await started({ version });

    expect((await send('GET', '/version')).body).toMatchObject({ ...expected.version, minor: '36' });
  });

  test('it serves what there was', async () => {
    expect(await servedBy(await started({ version }))).toEqual(expected.served);
  });

  test('it serves of everything what there was', async () => {
    const server = await started({ version, runtimeConfig: { 'api/all': true } });

    expect(await servedBy(server)).toEqual(expected.servedWithAll);
  });

  test('features are as far as they were', () => {
    const { enabled } = featureGates([], { version });
    const found = [...knownFeatures(version.emulated)].map(
      ([gate, { stage }]) => [gate, `${stage} ${enabled(gate) ? 1 : 0}`] as const,
    );

    expect(Object.fromEntries(found)).toEqual(expected.gates);
  });
});

describe('what came later', () => {
  const version = versionNamed('1.33');
  const claims = (served: readonly string[]) => served.filter((name) => name.endsWith('/resourceclaims'));

  test('cannot be asked for', async () => {
    const resource = startedServer({ version, runtimeConfig: { 'resource.k8s.io/v1/deviceclasses': true } });
    await expect(resource).rejects.toThrow(
      'cannot enable resource resource.k8s.io/v1, Resource=deviceclasses in runtime-config because it is introduced at 1.34 after the current version 1.33. Consider setting --runtime-config-emulation-forward-compatible=true',
    );
    const whole = startedServer({ version, runtimeConfig: { 'resource.k8s.io/v1': true } });
    await expect(whole).rejects.toThrow(
      'cannot enable version resource.k8s.io/v1 in runtime-config because all the resources have been introduced after the current version 1.33. Consider setting --runtime-config-emulation-forward-compatible=true',
    );
  });

  test('can be requested explicitly', async () => {
    const server = await started({
      version,
      runtimeConfig: { 'resource.k8s.io/v1': true },
      runtimeConfigEmulationForwardCompatible: true,
    });

    expect(claims(await servedBy(server))).toEqual(['resource.k8s.io/v1/resourceclaims']);
  });

  test('comes with an earlier version of the same', async () => {
    const runtimeConfig = { 'resource.k8s.io/v1beta1': true };

    expect(claims(await servedBy(await started({ version, runtimeConfig })))).toEqual([
      'resource.k8s.io/v1beta1/resourceclaims',
    ]);
    const forward = await started({ version, runtimeConfig, emulationForwardCompatible: true });
    expect(claims(await servedBy(forward))).toEqual([
      'resource.k8s.io/v1/resourceclaims',
      'resource.k8s.io/v1beta1/resourceclaims',
      'resource.k8s.io/v1beta2/resourceclaims',
    ]);
  });
});
