import type { Filter } from './filter.ts';

/**
 * Records whether all paths were installed when the request arrived: before that, a path that isn't found may still be
 * added.
 */
export const pathsInstalled = (areInstalled: () => boolean): Filter => ({
  step: 'paths-installed',
  handle(request, next) {
    request.pathsWereInstalled = areInstalled();
    return next(request);
  },
});
