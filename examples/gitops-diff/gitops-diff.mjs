/** What a change of manifests would change in a cluster, as the API server sees it: with defaults, without a cluster. */

import { createCluster } from 'coxswain/testing';

/** Resolves with a line for each field: `Deployment/web spec.replicas: 2 → 3`. */
export async function diff(before, after) {
  const cluster = await createCluster({ controllers: false, nodes: 0 });
  const old = await cluster.apply(before);
  // Asked, not done: the answer is what would be stored.
  const wanted = await Promise.all(
    after.map((object) =>
      cluster.client.apply(inDefault(object), { fieldManager: 'test', force: true, dryRun: true }),
    ),
  );
  const known = new Map(old.map((object) => [nameOf(object), object]));
  const added = wanted.filter((object) => !known.has(nameOf(object)));
  const kept = wanted.filter((object) => known.has(nameOf(object)));
  const names = new Set(wanted.map(nameOf));
  return [
    ...added.map((object) => `${nameOf(object)}: added`),
    ...kept.flatMap((object) => changes(known.get(nameOf(object)), object, nameOf(object), [])),
    ...old.map(nameOf).flatMap((name) => (names.has(name) ? [] : [`${name}: removed`])),
  ];
}

const inDefault = (object) => ({ ...object, metadata: { namespace: 'default', ...object.metadata } });
const nameOf = ({ kind, metadata }) => `${kind}/${metadata.name}`;
const ofTheServer = new Set([
  'managedFields',
  'resourceVersion',
  'uid',
  'creationTimestamp',
  'generation',
  'status',
]);

function changes(one, other, name, path) {
  if (JSON.stringify(one) === JSON.stringify(other)) return [];
  if (!isObject(one) || !isObject(other))
    return [`${name} ${path.join('.')}: ${JSON.stringify(one)} → ${JSON.stringify(other)}`];
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (key) => !ofTheServer.has(key),
  );
  return keys.flatMap((key) => changes(one[key], other[key], name, [...path, key]));
}

const isObject = (value) => typeof value === 'object' && value !== null;
