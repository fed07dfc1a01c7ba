/** Lists similar requests for a test that found none that matched. */
import type { RecordedRequest, RequestPattern } from '../../../types/testing.d.ts';
import { matchesPattern } from './request-log.ts';

const linesMax = 8;

/** Returns the requests that match most of the pattern first; equal ones share a line. */
export function closestRequests(
  requests: readonly RecordedRequest[],
  pattern: RequestPattern,
): readonly string[] {
  const alike = Map.groupBy(requests, lineOf);
  const ranked = [...alike]
    .map(([line, group]) => ({ line, count: group.length, fits: fitsOf(group[0]!, pattern) }))
    .sort((a, b) => b.fits - a.fits || b.count - a.count);
  const lines = ranked.slice(0, linesMax).map(({ line, count }) => `${count} × ${line}`);
  return ranked.length > linesMax
    ? [...lines, `and ${ranked.length - linesMax} other kinds of requests`]
    : lines;
}

/** Counts the parts of the pattern that match. */
const fitsOf = (request: RecordedRequest, pattern: RequestPattern): number =>
  Object.entries(pattern).filter(([part, value]) => matchesPattern(request, { [part]: value })).length;

function lineOf({
  verb,
  group,
  resource,
  subresource,
  namespace,
  name,
  path,
  user,
}: RecordedRequest): string {
  if (resource === '') return `${verb} ${path} by ${user}`;
  const whole = `${resource}${group === '' ? '' : `.${group}`}${subresource === '' ? '' : `/${subresource}`}`;
  return `${[verb, whole, name].filter((part) => part !== '').join(' ')}${namespace === '' ? '' : ` in ${namespace}`} by ${user}`;
}
