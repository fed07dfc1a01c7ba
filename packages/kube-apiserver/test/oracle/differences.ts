/** Finds the differences of two responses. Members of objects are unordered, elements of arrays are ordered. */

export interface Difference {
  readonly path: string;
  readonly expected: unknown;
  readonly got: unknown;
}

export function differencesOf(expected: unknown, got: unknown, path = ''): Difference[] {
  if (Object.is(expected, got)) return [];
  if (Array.isArray(expected) && Array.isArray(got)) {
    const length = Math.max(expected.length, got.length);
    return Array.from({ length }, (_, i) => differencesOf(expected[i], got[i], `${path}[${i}]`)).flat();
  }
  if (isObject(expected) && isObject(got)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(got)]);
    return [...keys].flatMap((key) => differencesOf(expected[key], got[key], path + pathSegment(key)));
  }
  return [{ path: path === '' ? '.' : path, expected, got }];
}

/** A difference in three lines, with values truncated to `width` characters. */
export const describeDifference = ({ path, expected, got }: Difference, width = 200): string =>
  `${path}\n      expected ${shown(expected, width)}\n      got      ${shown(got, width)}`;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const pathSegment = (key: string): string => (/^[\w-]+$/.test(key) ? `.${key}` : `['${key}']`);

function shown(value: unknown, width: number): string {
  const text = value === undefined ? '(absent)' : JSON.stringify(value);
  return text.length <= width ? text : `${text.slice(0, width)}… (${text.length} characters)`;
}
