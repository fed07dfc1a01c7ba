/** Which requests `kubectl proxy` lets through. */
export interface ProxyFilter {
  readonly acceptPaths: readonly RegExp[];
  readonly rejectPaths: readonly RegExp[];
  readonly acceptHosts: readonly RegExp[];
  readonly rejectMethods: readonly RegExp[];
}

/** Regular expressions with commas between them. @throws Error for one that is none */
export function expressions(text: string): readonly RegExp[] {
  if (text === '') return [];
  return text.split(',').map((part) => {
    try {
      return new RegExp(part);
    } catch (failure) {
      throw new Error(`Error compiling re: ${(failure as Error).message}`, { cause: failure });
    }
  });
}

export function isAccepted(filter: ProxyFilter, method: string, path: string, hostHeader: string): boolean {
  const host = hostHeader.replace(/:\d*$/, '');
  const matches = (text: string, any: readonly RegExp[]) => any.some((one) => one.test(text));
  // Go takes the brackets off an IPv6 address only where a port follows.
  const plainHost = host === hostHeader ? host : host.replace(/^\[(.*)\]$/, '$1');
  return (
    !matches(path, filter.rejectPaths) &&
    !matches(method, filter.rejectMethods) &&
    matches(path, filter.acceptPaths) &&
    (matches(plainHost, filter.acceptHosts) || matches(`[${plainHost}]`, filter.acceptHosts))
  );
}
