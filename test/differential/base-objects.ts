/** Objects to start from: whatever a recorded case creates, by the resource it is posted to. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { areaNames, loadArea, type Area, type Step } from '../../packages/kube-apiserver/test/oracle/case.ts';

export interface BaseObject {
  /** `/apis/apps/v1/namespaces/$ns/deployments` */
  readonly collection: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The case it comes from. */
  readonly source: string;
}

/** From the areas kept here, or from `directory` as the oracle's `export` wrote them. */
export function baseObjects(directory: string | undefined): BaseObject[] {
  const areas =
    directory === undefined ? areaNames().map(loadArea) : readdirSync(directory).map(readArea(directory));
  const seen = new Set<string>();
  return areas.flatMap(({ area, cases }) =>
    cases.flatMap((testCase) =>
      testCase.steps.flatMap((step) => createdBy(step, `${area}/${testCase.name}`)).filter(isNew(seen)),
    ),
  );
}

const readArea =
  (directory: string) =>
  (file: string): Area =>
    JSON.parse(readFileSync(path.join(directory, file), 'utf8')) as Area;

function createdBy({ req = '', body, type, as }: Step, source: string): BaseObject[] {
  const [method, target = ''] = req.split(' ');
  if (method !== 'POST' || type !== undefined || (as ?? 'admin') !== 'admin') return [];
  if (typeof body !== 'object' || body === null || !('kind' in body) || !('apiVersion' in body)) return [];
  const collection = target.split('?')[0]!;
  const text = JSON.stringify(body).replaceAll('$id', 'one');
  if (/\$(?!ns)/.test(text + collection)) return [];
  return [{ collection, body: JSON.parse(text) as BaseObject['body'], source }];
}

const isNew =
  (seen: Set<string>) =>
  ({ collection, body }: BaseObject): boolean => {
    const key = collection + JSON.stringify(body);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };

/** Larger ones make every question slow and have nothing new. */
const bodyBytesMax = 30_000;

/** In an order in which each object brings as many places as possible that those before it lack. */
export function* mostDiverse(bases: readonly BaseObject[]): Generator<BaseObject> {
  const rest = new Map(
    bases
      .filter(({ body }) => JSON.stringify(body).length <= bodyBytesMax)
      .map((base) => [base, placesIn(base.body)]),
  );
  const covered = new Set<string>();
  while (rest.size > 0) {
    const gains = [...rest].map(([base, places]) => ({ base, gain: places.difference(covered).size }));
    const { base } = gains.reduce((best, next) => (next.gain > best.gain ? next : best));
    for (const place of rest.get(base)!) covered.add(place);
    rest.delete(base);
    yield base;
  }
}

function placesIn(value: unknown, path = '', places = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) placesIn(item, `${path}[]`, places);
  else if (typeof value === 'object' && value !== null)
    for (const [name, child] of Object.entries(value)) placesIn(child, `${path}.${name}`, places);
  else places.add(path);
  return places;
}
