import type { Filter } from './filter.ts';

/** @param directives of `--strict-transport-security-directives`; no header if empty */
export const strictTransportSecurity = (directives: readonly string[]): Filter => ({
  step: 'strict-transport-security',
  handle(request, next) {
    if (directives.length > 0) request.responseHeaders['strict-transport-security'] = directives.join('; ');
    return next(request);
  },
});
