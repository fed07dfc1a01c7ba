import { goValue } from '../scalars/go-value.ts';

/**
 * A patch that cannot be applied. `format` errors are answered with 400, `content` errors with 422, all
 * others with 500.
 */
export class StrategicMergeError extends Error {
  readonly problem: 'format' | 'content' | 'other';

  constructor(message: string, problem: 'format' | 'content' | 'other' = 'other') {
    super(message);
    this.problem = problem;
  }
}

export const noMergeKey = (element: unknown, mergeKey: string): StrategicMergeError =>
  new StrategicMergeError(`map: ${goValue(element)} does not contain declared merge key: ${mergeKey}`);

export const badPatchType = (directive: unknown, patch: unknown): StrategicMergeError =>
  new StrategicMergeError(`unknown patch type: ${goText(directive)} in map: ${goValue(patch)}`);

export const badPrimitiveList = (): StrategicMergeError =>
  new StrategicMergeError('invalid patch format of primitive list', 'format');

export const badRetainKeys = (): StrategicMergeError =>
  new StrategicMergeError('invalid patch format of retainKeys', 'format');

export const badElementOrder = (): StrategicMergeError =>
  new StrategicMergeError('invalid patch format of setElementOrder list', 'format');

export const listOfLists = (): StrategicMergeError =>
  new StrategicMergeError('lists of lists are not supported', 'content');

export const badArgument = (expected: 'map' | 'list', actual: unknown): StrategicMergeError =>
  new StrategicMergeError(
    `expected a ${expected === 'map' ? 'map[string]interface {}' : '[]interface {}'}, but received a ${goTypeOfValue(actual)}`,
  );

/** `%s` of a value that is not a string: `%!s(int64=7)`. */
function goText(value: unknown): string {
  return value === null || value === undefined ? '%!s(<nil>)' : goTextWithin(value);
}

function goTextWithin(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goTextWithin).join(' ')}]`;
  if (typeof value !== 'object') return `%!s(${goTypeOfValue(value)}=${goValue(value)})`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${members.map(([name, member]) => `${name}:${goTextWithin(member)}`).join(' ')}]`;
}

function goTypeOfValue(value: unknown): string {
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? 'int64' : 'float64';
  return (
    { string: 'string', boolean: 'bool', bigint: 'int64' }[typeof value as string] ??
    'map[string]interface {}'
  );
}
