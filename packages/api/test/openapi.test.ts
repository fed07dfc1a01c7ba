/** The definitions that a default Kubernetes 1.36 publishes, without descriptions, against ours. */

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { definitionsOf } from '@coxswain/schema/openapi.ts';
import type { Dialect, GroupVersionKind } from '@coxswain/schema/openapi.ts';
import type { StructType } from '@coxswain/schema';
import { describe, expect, test } from 'vitest';
import { groupVersionFolders, kindsOf } from '../src/group-versions.ts';

const reference = JSON.parse(
  gunzipSync(readFileSync(new URL('reference/openapi-definitions-1.36.json.gz', import.meta.url))).toString(),
) as Record<Dialect, Record<string, unknown>>;

const roots: StructType[] = [];
const groupVersionKinds = new Map<string, GroupVersionKind>();
for (const folder of groupVersionFolders) {
  for (const { type, listType, names, group, version, kind } of kindsOf(folder)) {
    // The kinds of meta/v1 are published as those of the core group.
    const served = group === 'meta.k8s.io' ? '' : group;
    roots.push(type);
    groupVersionKinds.set(type.name, { group: served, version, kind });
    if (names === undefined) continue;
    roots.push(listType);
    groupVersionKinds.set(listType.name, { group: served, version, kind: `${kind}List` });
  }
}

/** No types of the API: WatchEvent and Patch are no kinds, Info belongs to the server. */
const notDescribed = new Set([
  'io.k8s.apimachinery.pkg.apis.meta.v1.Patch',
  'io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent',
  'io.k8s.apimachinery.pkg.version.Info',
]);

/** What differs on purpose: registered in every group version, or without a doc comment in the original. */
const known: Readonly<Record<Dialect, readonly string[]>> = {
  v2: [
    'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
    'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIServiceSpec',
  ],
  v3: [
    'io.k8s.api.networking.v1.IngressRule',
    'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps',
    'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
    'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIServiceSpec',
  ],
};

describe.each<Dialect>(['v2', 'v3'])('OpenAPI %s', (dialect) => {
  const ours = definitionsOf(roots, {
    dialect,
    kindsOf: (name) => {
      const kind = groupVersionKinds.get(name);
      return kind === undefined ? [] : [kind];
    },
  });
  const names = Object.keys(reference[dialect]).filter((name) => !notDescribed.has(name));

  test('defines every type that the original defines', () => {
    expect(names.filter((name) => ours[name] === undefined)).toEqual([]);
  });

  test('defines them alike', () => {
    const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    const different = names.filter((name) => {
      try {
        expect(json(ours[name])).toEqual(reference[dialect][name]);
        return false;
      } catch {
        return true;
      }
    });

    expect(different).toEqual(known[dialect]);
  });
});
