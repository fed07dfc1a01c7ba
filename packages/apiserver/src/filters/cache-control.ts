import type { Filter } from './filter.ts';

/** Answers depend on who asks: no cache may keep them. */
export const cacheControl: Filter = {
  step: 'cache-control',
  handle(request, next) {
    request.responseHeaders['cache-control'] = 'no-cache, private';
    return next(request);
  },
};
