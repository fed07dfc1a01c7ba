import type { KubeObject } from '@coxswain/apimachinery';

/** A difference, in the order of the fields: `- spec.replicas: 1`, `+ spec.replicas: 3`. */
export type DiffLine = `${'-' | '+'} ${string}`;

/** These change with every write and are reported in other ways. */
const unshown = new Set(['metadata.managedFields', 'metadata.resourceVersion']);

/** Shown field by field, even if everything in them is new. */
const expanded = new Set(['', 'metadata', 'spec', 'status', 'data', 'stringData']);

const none: ReadonlyMap<string, unknown> = new Map();

/** The fields that identify the items of a list. */
const itemKeys = ['name', 'type', 'uid', 'containerPort', 'port', 'ip'];

/** @param shown formats the value of a path for people; defaults to JSON */
export function objectDiff(
  before: KubeObject | undefined,
  after: KubeObject,
  shown: (path: string, value: unknown) => string = (_path, value) => JSON.stringify(value),
): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  const walk = (path: string, a: unknown, b: unknown): void => {
    if (unshown.has(path) || JSON.stringify(a) === JSON.stringify(b)) return;
    const [left, right] = expanded.has(path)
      ? [membersOf(a) ?? none, membersOf(b) ?? none]
      : [membersOf(a), membersOf(b)];
    if (left !== undefined && right !== undefined) {
      for (const name of new Set([...left.keys(), ...right.keys()])) {
        walk(joined(path, name), left.get(name), right.get(name));
      }
      return;
    }
    if (a !== undefined) lines.push(`- ${path}: ${shown(path, a)}`);
    if (b !== undefined) lines.push(`+ ${path}: ${shown(path, b)}`);
  };
  walk('', before ?? {}, after);
  return lines;
}

const joined = (path: string, name: string): string =>
  path === '' || name.startsWith('[') ? `${path}${name}` : `${path}.${name}`;

/** The fields of an object, or the items of a list by identifying field; undefined for a scalar. */
function membersOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (Array.isArray(value)) {
    const key = itemKeys.find((name) => value.every((item) => isRecord(item) && name in item));
    return new Map(
      value.map((item: unknown, index) => [
        key === undefined ? `[${index}]` : `[${key}=${String((item as Record<string, unknown>)[key])}]`,
        item,
      ]),
    );
  }
  return isRecord(value) ? new Map(Object.entries(value)) : undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
