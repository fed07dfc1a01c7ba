import type { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse } from '../http/api-response.ts';
import type { Negotiated } from '../negotiation/negotiate.ts';
import { negotiate } from '../negotiation/negotiate.ts';
import { nextTurn } from '@coxswain/apimachinery/next-turn.ts';
import type { ServedList } from '../rest/served.ts';
import type { ResourceScope } from '../resource-scope.ts';
import { respondList } from '../respond.ts';
import { checkTransformOfList } from '../table/check-transform.ts';
import type { Handler } from './handler.ts';
import { listOptionsOf } from './options/list-options.ts';
import { serveWatch } from './watch.ts';
import { timed } from '../audit/request-latencies.ts';

/** GET of a collection: its objects, or with `watch` what happens to them. */
export const list: Handler = (request, scope) => {
  const options = listOptionsOf(request, scope, request.info.deprecatedWatch);
  if (options.watch) return serveWatch(request, scope, options);
  const negotiated = negotiate(request, scope.negotiation);
  checkTransformOfList(negotiated, scope);
  const listed = scope.storage.list!(request, options);
  const respond = (later: ServedList) =>
    later.items.length > itemsPerTurn && isStoredForm(negotiated, scope)
      ? madeInTurns(later).then(() => responded(request, scope, negotiated, later))
      : responded(request, scope, negotiated, later);
  return listed instanceof Promise ? listed.then(respond) : respond(listed);
};

/** Whether clients get the bytes that are kept with each object. */
const isStoredForm = ({ type, transform }: Negotiated, { identity }: ResourceScope): boolean =>
  identity && type.media === 'json' && transform === undefined;

/** Making the bytes of so many takes some ten milliseconds, the first time that they are asked for. */
const itemsPerTurn = 2_000;

/** A list of very many objects holds nobody up. */
async function madeInTurns({ items }: ServedList): Promise<void> {
  for (const [index, item] of items.entries()) {
    void item.served;
    if (index % itemsPerTurn === itemsPerTurn - 1) await nextTurn();
  }
}

/** Of a list that takes long it is told which part did. */
function responded(
  request: ApiRequest,
  scope: ResourceScope,
  negotiated: Negotiated,
  listed: ServedList,
): ApiResponse | Promise<ApiResponse> {
  const part = negotiated.transform === undefined ? 'serialize-response-object' : 'transform-response-object';
  return timed(request.audit, part, () => respondList(request, scope, negotiated, listed));
}
