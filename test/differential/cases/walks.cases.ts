/**
 * Objects of every kind whose members are taken out, emptied and claimed, one by one, by every kind of patch. All is
 * asked in dry runs against what one manager applied.
 */
import { baseObjects, mostDiverse, type BaseObject } from '../base-objects.ts';
import { applyPatch, ask, jsonPatch, mergePatch, strategicPatch, type DifferentialCase } from './case.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

type Json = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

const basesMax = 1;
const pathsMax = 14;

function nameOf(body: Json): unknown {
  return (body['metadata'] as Json | undefined)?.['name'];
}

function walk(name: string, { collection, body }: BaseObject): DifferentialCase {
  const one = `${collection}/${String(nameOf(body))}`;
  const { status: _, ...applied } = body;
  const paths = pathsIn(applied).filter(([top, second]) => {
    if (top === 'kind' || top === 'apiVersion') return false;
    return top !== 'metadata' || !['name', 'namespace', undefined].includes(second as string);
  });
  const stride = Math.max(1, Math.ceil(paths.length / pathsMax));
  const steps = paths.filter((__, at) => at % stride === 0).flatMap((path) => questions(one, applied, path));
  return {
    name,
    steps: [ask(`PATCH ${one}?fieldManager=a`, applied, applyPatch), ...steps],
    cleanup: [ask(`DELETE ${one}?gracePeriodSeconds=0`)],
  };
}

function questions(one: string, applied: Json, path: Path): Step[] {
  const value = valueAt(applied, path);
  const type = { apiVersion: applied['apiVersion'], kind: applied['kind'], metadata: metadataOf(applied) };
  const only = { ...(onlyAt(applied, path) as Json), ...type };
  const dry = `PATCH ${one}?dryRun=All`;
  const inMap = path.every((key) => typeof key === 'string');
  const pointer = path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  const nulled = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), null);
  return [
    ask(`${dry}&fieldManager=a`, without(applied, path), applyPatch),
    ask(`${dry}&fieldManager=a`, withValue(applied, path, emptied(value)), applyPatch),
    ask(`${dry}&fieldManager=a`, withValue(applied, path, null), applyPatch),
    ask(`${dry}&fieldManager=b`, withMetadata(only, applied, path), applyPatch),
    ask(`${dry}&fieldManager=b&force=true`, withMetadata(only, applied, path), applyPatch),
    ask(`${dry}&fieldManager=j`, [{ op: 'remove', path: pointer }], jsonPatch),
    ask(`${dry}&fieldManager=j`, [{ op: 'replace', path: pointer, value: emptied(value) }], jsonPatch),
    ask(`${dry}&fieldManager=j`, [{ op: 'replace', path: pointer, value: 'text' }], jsonPatch),
    ...(inMap
      ? [
          ask(`${dry}&fieldManager=m`, nulled, mergePatch),
          ask(`${dry}&fieldManager=s`, nulled, strategicPatch),
          ask(`${dry}&fieldManager=s`, replacedAt(path), strategicPatch),
        ]
      : []),
  ];
}

const metadataOf = (object: Json): Json => ({ name: nameOf(object) });

const withMetadata = (only: Json, applied: Json, path: Path): Json =>
  path[0] === 'metadata'
    ? { ...only, metadata: { ...metadataOf(applied), [path[1]!]: valueAt(applied, ['metadata', path[1]!]) } }
    : only;

/** A directive that empties the member. */
const replacedAt = (path: Path): unknown =>
  path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), { $patch: 'replace' });

function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  switch (typeof value) {
    case 'string':
      return '';
    case 'number':
      return 0;
    case 'boolean':
      return false;
    default:
      return {};
  }
}

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries: (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.map((item, at) => [at, item] as const)
    : Object.entries(value);
  return entries.flatMap(([key, child]) => [[...path, key], ...pathsIn(child, [...path, key])]);
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], value);

function changedAt(
  value: unknown,
  [key, ...rest]: Path,
  change: (holder: unknown, key: string | number) => unknown,
): unknown {
  if (rest.length === 0) return change(value, key!);
  const child = changedAt((value as Record<string | number, unknown>)[key!], rest, change);
  return Array.isArray(value) ? value.with(key as number, child) : { ...(value as object), [key!]: child };
}

const without = (object: Json, path: Path): unknown =>
  changedAt(object, path, (holder, key) => {
    if (Array.isArray(holder)) return holder.toSpliced(key as number, 1);
    const { [key]: _, ...rest } = holder as Record<string | number, unknown>;
    return rest;
  });

const withValue = (object: Json, path: Path, value: unknown): unknown =>
  changedAt(object, path, (holder, key) =>
    Array.isArray(holder) ? holder.with(key as number, value) : { ...(holder as object), [key]: value },
  );

/** Nothing but what leads there; of a list's item its scalars too, since some of them are its key. */
function onlyAt(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return value;
  const child = onlyAt((value as Record<string | number, unknown>)[key], rest);
  if (!Array.isArray(value)) return { [key]: child };
  const item = value[key as number] as unknown;
  if (typeof item !== 'object' || item === null) return [child];
  const scalars = Object.entries(item).filter(([, member]) => typeof member !== 'object');
  return [{ ...Object.fromEntries(scalars), ...(child as object) }];
}

/** Not a path to a subresource, of a version that is served by default. */
const isCollection = /^\/api(s\/[a-z0-9.]+)?\/v\d+(\/namespaces\/\$ns)?\/[a-z]+$/;

/** What is deleted stays for a while, what is created is not kept, or the original walks its mistakes in any order. */
const unsteady =
  /\/(namespaces|persistentvolumes|volumeattributesclasses|customresourcedefinitions|bindings|componentstatuses|[a-z]+reviews)$/;

/** Of an object with many unknown members, the original tells any one. */
const isSteady = ({ body, source }: BaseObject): boolean =>
  Object.keys(body).length < 50 && !source.includes('unknown-fields');

export const cases: readonly DifferentialCase[] = [
  ...Map.groupBy(baseObjects(undefined), ({ collection }) => collection),
].flatMap(([collection, bases]) => {
  if (!isCollection.test(collection) || unsteady.test(collection)) return [];
  const names = new Set<unknown>();
  const chosen = [
    ...mostDiverse(bases.filter((base) => nameOf(base.body) !== undefined && isSteady(base))),
  ].filter(({ body }) => {
    const isNew = !names.has(nameOf(body));
    names.add(nameOf(body));
    return isNew;
  });
  return chosen
    .slice(0, basesMax)
    .map((base, at) => walk(`${collection.replace(/^\/apis?\//, '')}-${at}`, base));
});
