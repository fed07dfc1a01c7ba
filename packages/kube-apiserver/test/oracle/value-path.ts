/** Paths into JSON values: `items.0.name`, `labels['a.b/c']`, `*` for each child, `**` for any depth. */

export type ValuePath = readonly string[];

const segmentPattern = /\[(?:'([^']*)'|"([^"]*)"|([^\]]*))\]|([^.[\]]+)/g;

export const parsePath = (text: string): ValuePath =>
  Array.from(
    text.matchAll(segmentPattern),
    ([, single, double, bare, plain]) => single ?? double ?? bare ?? plain!,
  );

export function valueAt(root: unknown, text: string): unknown {
  let value = root;
  for (const key of parsePath(text)) {
    if (value === null || value === undefined) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Removes what the path matches, in place; an array keeps its length. */
export function removeAt(value: unknown, path: ValuePath): void {
  const [key, ...rest] = path;
  if (key === undefined || !isContainer(value)) return;
  if (key === '**') {
    removeAt(value, rest);
    for (const child of Object.values(value)) removeAt(child, path);
    return;
  }
  for (const found of keysMatching(value, key)) {
    if (rest.length > 0) removeAt(value[found], rest);
    else if (Array.isArray(value)) value[Number(found)] = '<ignored>';
    else delete value[found];
  }
}

/** A copy with only what the paths match. Other elements of arrays become null. */
export const selectPaths = (value: unknown, paths: readonly ValuePath[]): unknown =>
  paths.map((path) => selectPath(value, path)).reduce(overlay, undefined);

function selectPath(value: unknown, [key, ...rest]: ValuePath): unknown {
  if (key === undefined) return value;
  if (!isContainer(value)) return undefined;
  const result: Record<string, unknown> = Array.isArray(value)
    ? (Array.from(value, () => null) as unknown as Record<string, unknown>)
    : {};
  for (const found of keysMatching(value, key)) {
    const selected = selectPath(value[found], rest);
    if (selected !== undefined) result[found] = selected;
  }
  return result;
}

function overlay(below: unknown, above: unknown): unknown {
  if (below === undefined || below === null) return above;
  if (above === undefined || above === null) return below;
  if (!isContainer(below) || !isContainer(above)) return above;
  const result = (Array.isArray(below) ? [...below] : { ...below }) as Record<string, unknown>;
  for (const [key, value] of Object.entries(above)) result[key] = overlay(result[key], value);
  return result;
}

const keysMatching = (value: Record<string, unknown>, key: string): string[] =>
  key === '*' ? Object.keys(value) : key in value ? [key] : [];

const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
