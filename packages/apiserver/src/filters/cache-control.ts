import type { Filter } from './filter.ts';

/** Responses depend on the user, so no cache may store them. */
export const cacheControl: Filter = {
  step: 'cache-control',
  handle(request, next) {
    request.responseHeaders['cache-control'] = 'no-cache, private';
    return next(request);
  },
};
