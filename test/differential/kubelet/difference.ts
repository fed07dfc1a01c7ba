/** Where two values differ, one line for each place. */

/** Lists of things with names are compared name by name. */
export function differences(original: unknown, ours: unknown, path = ''): readonly string[] {
  if (Array.isArray(original) && Array.isArray(ours))
    return differences(byName(original), byName(ours), path);
  if (isObject(original) && isObject(ours)) {
    const names = [...new Set([...Object.keys(original), ...Object.keys(ours)])];
    return names.flatMap((name) =>
      differences(original[name], ours[name], path === '' ? name : `${path}.${name}`),
    );
  }
  if (JSON.stringify(original) === JSON.stringify(ours)) return [];
  return [`${path}: ${shown(original)} ≠ ${shown(ours)}`];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members of which each list of objects has one. */
const naming = ['type', 'name', 'containerPath', 'pageSize', 'key'] as const;

function byName(values: readonly unknown[]): Readonly<Record<string, unknown>> {
  const name = naming.find((each) =>
    values.every((value) => isObject(value) && typeof value[each] === 'string'),
  );
  return Object.fromEntries(
    values.map((value, index) => [
      name === undefined ? String(index) : `[${(value as Record<string, string>)[name]}]`,
      value,
    ]),
  );
}

const textMax = 300;

function shown(value: unknown): string {
  if (value === undefined) return '–';
  const text = JSON.stringify(value);
  return text.length > textMax ? `${text.slice(0, textMax)}…` : text;
}
