/** Finds structural differences between two OpenAPI documents. */
import { withoutDescriptions, type Documents } from './documents.ts';

export interface Difference {
  /** `apis/apps/v1 /components/schemas/…`; v2 is a single document. */
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

const absent = '(absent)';

export function differencesOfDocuments(expected: Documents, actual: Documents): readonly Difference[] {
  const differences: Difference[] = [];
  const paths = new Set([...Object.keys(expected.v3), ...Object.keys(actual.v3)]);
  for (const path of [...paths].sort()) {
    const [left, right] = [expected.v3[path], actual.v3[path]];
    if (left === undefined || right === undefined) {
      differences.push({ path, expected: left && '(a document)', actual: right && '(a document)' });
    } else {
      compare(withoutDescriptions(left), withoutDescriptions(right), `${path} `, differences);
    }
  }
  compare(prepareV2(expected.v2), prepareV2(actual.v2), 'v2 ', differences);
  return differences;
}

/**
 * In v2, parameters that many operations share are named with a hash of their content, including the description: each
 * is inlined where it is referred to, under the name without the hash.
 */
function prepareV2(document: unknown): unknown {
  const { parameters, ...rest } = withoutDescriptions(document) as Record<string, object>;
  const shared = parameters as Readonly<Record<string, unknown>>;
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const reference = (value as { $ref?: unknown }).$ref;
    if (typeof reference === 'string' && reference.startsWith('#/parameters/')) {
      return { shared: shared[reference.slice('#/parameters/'.length)] };
    }
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolve(member)]));
  };
  return resolve(rest);
}

/** Maps whose order generators and `explain` show, including a path's operations. */
const isOrdered = (path: string, keys: readonly string[]): boolean =>
  /\/(?:paths|definitions|schemas|properties)$/.test(path) || keys.some((key) => methods.has(key));

const methods: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'patch']);

function compare(expected: unknown, actual: unknown, path: string, differences: Difference[]): void {
  if (!isContainer(expected) || !isContainer(actual)) {
    if (expected !== actual) differences.push({ path, expected, actual });
    return;
  }
  if (Array.isArray(expected) !== Array.isArray(actual)) {
    differences.push({ path, expected, actual });
    return;
  }
  const [left, right] = [Object.keys(expected), Object.keys(actual)];
  for (const key of left) {
    if (!(key in actual))
      differences.push({ path: `${path}/${key}`, expected: expected[key], actual: absent });
    else compare(expected[key], actual[key], `${path}/${key}`, differences);
  }
  for (const key of right) {
    if (!(key in expected))
      differences.push({ path: `${path}/${key}`, expected: absent, actual: actual[key] });
  }
  const inBoth = (keys: readonly string[]) =>
    keys.filter((key) => key in expected && key in actual).join(' ');
  if (isOrdered(path, left) && inBoth(left) !== inBoth(right)) {
    differences.push({ path: `${path} (order)`, expected: inBoth(left), actual: inBoth(right) });
  }
}

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
