import { negotiate } from '../negotiation/negotiate.ts';
import { respondList } from '../respond.ts';
import { checkTransformOfList } from '../table/check-transform.ts';
import type { Handler } from './handler.ts';
import { listOptionsOf } from './options/list-options.ts';
import { serveWatch } from './watch.ts';

/** GET of a collection: its objects, or with `watch` what happens to them. */
export const list: Handler = (request, scope) => {
  const options = listOptionsOf(request, scope, request.info.deprecatedWatch);
  if (options.watch) return serveWatch(request, scope, options);
  const negotiated = negotiate(request, scope.negotiation);
  checkTransformOfList(negotiated, scope);
  const listed = scope.storage.list!(request, options);
  return listed instanceof Promise
    ? listed.then((later) => respondList(request, scope, negotiated, later))
    : respondList(request, scope, negotiated, listed);
};
