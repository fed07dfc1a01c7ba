/** Round trip of every kind in every version but the stored one through the store, with every field set. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { deepClone, type KubeObject } from '@coxswain/apimachinery';
import { decode, encode, type Kind } from '@coxswain/schema';
import { describe, expect, test } from 'vitest';
import { apiregistrationGroup } from '../aggregator/group.ts';
import { apiextensionsGroup } from '../apiextensions/group.ts';
import { changing } from './conversion.ts';
import { groups } from './groups.ts';
import type { OtherVersion } from './resource.ts';

const reference = new URL('../../../api/test/reference/roundtrip-1.36.json.gz', import.meta.url);
const fixtures: readonly KubeObject[] = Object.values(
  JSON.parse(gunzipSync(readFileSync(reference)).toString()) as Record<string, { readonly json: string }>,
).map(({ json }) => JSON.parse(json) as KubeObject);

const fixtureOf = ({ apiVersion, kind }: Kind): KubeObject | undefined =>
  fixtures.find((object) => object.apiVersion === apiVersion && object.kind === kind);

/** Versions that Kubernetes 1.36 has removed along with their fixtures, or that never had one. */
const withoutFixture = [
  'apiregistration.k8s.io/v1beta1 APIService',
  'autoscaling/v2beta1 HorizontalPodAutoscaler',
  'autoscaling/v2beta2 HorizontalPodAutoscaler',
  'extensions/v1beta1 PodSecurityPolicy',
];

/**
 * Fields that don't survive the round trip: the stored version expresses them differently, and upstream loses them too.
 */
const changes: Readonly<Record<string, readonly string[]>> = {
  'apiextensions.k8s.io/v1beta1 CustomResourceDefinition': [
    'spec.version',
    'spec.versions.0.additionalPrinterColumns',
    'spec.versions.0.schema',
    'spec.versions.0.selectableFields',
    'spec.versions.0.subresources',
  ],
  'autoscaling/v1 HorizontalPodAutoscaler': ['metadata.annotations'],
  'discovery.k8s.io/v1beta1 EndpointSlice': ['endpoints.0.topology'],
  'rbac.authorization.k8s.io/v1alpha1 ClusterRoleBinding': ['subjects.0.apiVersion'],
  'rbac.authorization.k8s.io/v1alpha1 RoleBinding': ['subjects.0.apiVersion'],
};

const identity = { toStorage: () => undefined, fromStorage: () => undefined };

const pairs = [...groups, apiregistrationGroup, apiextensionsGroup]
  .flatMap(({ resources }) => resources)
  .flatMap(({ kind, alsoAs }) => alsoAs.map((other) => ({ name: nameOf(other.kind), storage: kind, other })));
const versions = [...new Map(pairs.map((pair) => [pair.name, pair])).values()];

function nameOf({ apiVersion, kind }: Kind): string {
  return `${apiVersion} ${kind}`;
}

test('every version but those that Kubernetes 1.36 forgot has a fixture', () => {
  const missing = versions.filter(({ other }) => fixtureOf(other.kind) === undefined);

  expect(missing.map(({ name }) => name).sort()).toEqual(withoutFixture);
});

describe.each(versions.filter(({ other }) => fixtureOf(other.kind) !== undefined))(
  '$name',
  ({ name, storage, other }) => {
    const fixture = fixtureOf(other.kind)!;

    test('comes back from the stored version as it was', () => {
      expect(changedMembers(fixture, throughStorage(storage, other, fixture))).toEqual(changes[name] ?? []);
    });

    test('is left as it is by its conversions', () => {
      const given = decoded(other.kind, fixture);
      const copy = deepClone(given);
      const stored = conversionOf(storage, other).toStorage(given);
      const storedCopy = deepClone(stored);
      conversionOf(storage, other).fromStorage(stored);

      expect(given).toEqual(copy);
      expect(stored).toEqual(storedCopy);
    });
  },
);

function throughStorage(storage: Kind, other: OtherVersion, fixture: KubeObject): KubeObject {
  const { toStorage, fromStorage } = conversionOf(storage, other);
  const stored = encode(storage.type, toStorage(decoded(other.kind, fixture)));
  const back = fromStorage(decode(storage.type, stored).object as KubeObject);
  return JSON.parse(encode(other.kind.type, back)) as KubeObject;
}

const conversionOf = (storage: Kind, { kind, conversion }: OtherVersion) =>
  conversion ?? changing(storage, kind, identity);

const decoded = ({ type }: Kind, fixture: KubeObject): KubeObject =>
  decode(type, JSON.stringify(fixture)).object as KubeObject;

/** The paths of differences; a map or list with added or removed members counts as one. */
function changedMembers(before: unknown, after: unknown, path: readonly string[] = []): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isObject(before) || !isObject(after)) return [path.join('.')];
  const members = Object.keys({ ...before, ...after });
  const ownChange = path.at(-1) === 'annotations' || path.at(-1) === 'topology';
  if (ownChange) return [path.join('.')];
  return members.flatMap((member) => changedMembers(before[member], after[member], [...path, member])).sort();
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
