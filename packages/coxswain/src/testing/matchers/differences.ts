/**
 * Returns what of `wanted` is missing in `found`: additional fields are ignored, but lists must have the same length.
 */
export function differences(found: unknown, wanted: unknown, path = ''): readonly string[] {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(found)) return [reported(path, found, wanted)];
    if (found.length !== wanted.length)
      return [`${path || 'it'} has ${found.length} items, not ${wanted.length}`];
    return wanted.flatMap((item, index) => differences(found[index], item, `${path}[${index}]`));
  }
  if (typeof wanted === 'object' && wanted !== null) {
    if (typeof found !== 'object' || found === null) return [reported(path, found, wanted)];
    return Object.entries(wanted).flatMap(([name, value]) =>
      differences(
        (found as Readonly<Record<string, unknown>>)[name],
        value,
        path === '' ? name : `${path}.${name}`,
      ),
    );
  }
  return Object.is(found, wanted) ? [] : [reported(path, found, wanted)];
}

const reported = (path: string, found: unknown, wanted: unknown): string =>
  `${path || 'it'} is ${JSON.stringify(found) ?? 'absent'}, not ${JSON.stringify(wanted) ?? 'absent'}`;
