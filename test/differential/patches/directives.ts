/** Directives of strategic merge patches, strewn into a patch. */
import type { Random } from '@coxswain/apimachinery';
import { chance, isObject, pick, shuffled, type JsonObject } from './fragment.ts';

/** @param often how often an object or list gets one */
export function withDirectives(value: unknown, live: unknown, random: Random, often: number): unknown {
  if (!isObject(value)) return value;
  const current = isObject(live) ? live : {};
  const result: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    result[name] = Array.isArray(member)
      ? withListDirectives(member, current[name], random, often)
      : withDirectives(member, current[name], random, often);
    if (Array.isArray(member)) Object.assign(result, besideList(name, member, current[name], random, often));
  }
  if (chance(random, often / 2))
    result['$patch'] = pick(random, ['replace', 'merge', 'delete', 'replace', 'unknown']);
  if (chance(random, often / 2)) {
    result['$retainKeys'] = shuffled(random, [...Object.keys(result), ...Object.keys(current)])
      .filter((name) => !name.startsWith('$') || chance(random, 0.05))
      .slice(0, Math.floor(random.next() * 6));
  }
  return result;
}

function withListDirectives(
  list: readonly unknown[],
  live: unknown,
  random: Random,
  often: number,
): unknown[] {
  const liveItems = Array.isArray(live) ? (live as unknown[]) : [];
  const result = list.map((item) => withDirectives(item, sameNamed(item, liveItems), random, often / 2));
  if (!liveItems.some(isObject) && !list.some(isObject)) return result;
  if (chance(random, often)) {
    const gone = pick(random, [...liveItems, ...list]);
    if (isObject(gone)) result.push({ ...keyOnly(gone, random), $patch: 'delete' });
  }
  if (chance(random, often / 3)) result.push({ $patch: pick(random, ['replace', 'delete', 'merge']) });
  return chance(random, 0.3) ? shuffled(random, result) : result;
}

const keyNames = [
  'name',
  'key',
  'type',
  'containerPort',
  'port',
  'mountPath',
  'uid',
  'ip',
  'topologyKey',
  'devicePath',
];

function keyOnly(item: JsonObject, random: Random): JsonObject {
  if (chance(random, 0.2)) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => keyNames.includes(name)));
}

const sameNamed = (item: unknown, among: readonly unknown[]): unknown =>
  isObject(item) ? among.find((other) => isObject(other) && other['name'] === item['name']) : undefined;

function besideList(
  name: string,
  list: readonly unknown[],
  live: unknown,
  random: Random,
  often: number,
): JsonObject {
  const liveItems = Array.isArray(live) ? (live as unknown[]) : [];
  const all = [...liveItems, ...list];
  const beside: JsonObject = {};
  if (chance(random, often)) {
    const order = shuffled(random, all).filter(() => chance(random, 0.8));
    beside[`$setElementOrder/${name}`] = order.map((item) => (isObject(item) ? keyOnly(item, random) : item));
  }
  if (!all.some(isObject) && chance(random, often)) {
    // What is added and deleted at once comes out either way in the original.
    beside[`$deleteFromPrimitiveList/${name}`] = liveItems.filter(
      (item) => !list.includes(item) && chance(random, 0.5),
    );
  }
  return beside;
}
