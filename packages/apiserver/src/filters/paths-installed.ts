import type { Filter } from './filter.ts';

/** Notes whether all paths were there when the request came: before that, what isn't found may still come. */
export const pathsInstalled = (areInstalled: () => boolean): Filter => ({
  step: 'paths-installed',
  handle(request, next) {
    request.pathsWereInstalled = areInstalled();
    return next(request);
  },
});
