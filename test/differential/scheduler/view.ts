/** What two schedulers did, made comparable: what differs from run to run has names. */

const uid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** Uids are numbered as they come, times and versions are one; ports and schedulers have no names. */
export function comparable<T>(value: T): T {
  const uids = new Map<string, string>();
  const text = JSON.stringify(value, inOrder)
    .replaceAll(uid, (found) => uids.getOrInsertComputed(found, () => `<uid ${uids.size + 1}>`))
    .replaceAll(time, '<time>')
    .replaceAll(/"resourceVersion":"\d+"/g, '"resourceVersion":"<version>"')
    .replaceAll(/127\.0\.0\.1:\d+/g, '<address>')
    .replaceAll(/\b(theirs|ours)\b/g, '<scheduler>');
  return JSON.parse(text) as T;
}

/** The order of nodes is that of who was looked at first. */
function inOrder(key: string, value: unknown): unknown {
  if (key === 'NodeNames' && Array.isArray(value)) return value.toSorted();
  if (key === 'items' && Array.isArray(value)) return (value as Named[]).toSorted(byName);
  if (!key.startsWith('NodeNameTo') || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface Named {
  readonly metadata: { readonly name: string };
}

const byName = (a: Named, b: Named): number => (a.metadata.name < b.metadata.name ? -1 : 1);

/** The places in which two values differ: `a.b[0]: 1 | 2`. */
export function differences(theirs: unknown, ours: unknown, place = ''): readonly string[] {
  if (isObject(theirs) && isObject(ours)) {
    const keys = new Set([...Object.keys(theirs), ...Object.keys(ours)]);
    return [...keys].flatMap((key) => differences(theirs[key], ours[key], `${place}.${key}`));
  }
  if (JSON.stringify(theirs) === JSON.stringify(ours)) return [];
  return [`${place}: ${shown(theirs)} | ${shown(ours)}`];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const shownMax = 400;
const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, shownMax);
