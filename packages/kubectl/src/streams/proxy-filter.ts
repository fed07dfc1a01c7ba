/** Determines which requests `kubectl proxy` accepts. */
import { compilePattern, type Pattern } from '@coxswain/kustomize/pattern.ts';

export interface ProxyFilter {
  readonly acceptPaths: readonly Pattern[];
  readonly rejectPaths: readonly Pattern[];
  readonly acceptHosts: readonly Pattern[];
  readonly rejectMethods: readonly Pattern[];
}

/** Regular expressions separated by commas. @throws Error for an invalid one */
export const expressions = (text: string): readonly Pattern[] =>
  text === '' ? [] : text.split(',').map(compilePattern);

export function isAccepted(filter: ProxyFilter, method: string, path: string, hostHeader: string): boolean {
  const host = hostHeader.replace(/:\d*$/, '');
  const matches = (text: string, any: readonly Pattern[]) => any.some((one) => one.test(text));
  // Go removes the brackets of an IPv6 address only if a port follows.
  const plainHost = host === hostHeader ? host : host.replace(/^\[(.*)\]$/, '$1');
  return (
    !matches(path, filter.rejectPaths) &&
    !matches(method, filter.rejectMethods) &&
    matches(path, filter.acceptPaths) &&
    (matches(plainHost, filter.acceptHosts) || matches(`[${plainHost}]`, filter.acceptHosts))
  );
}
