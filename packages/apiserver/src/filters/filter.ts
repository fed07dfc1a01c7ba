/** A filter is one step of every request: it answers the request or calls the next filter. */
import { runStepInTurn } from '@coxswain/apimachinery';
import type { ApiRequest } from '../http/api-request.ts';
import type { Answer } from '../http/api-response.ts';

export type Next = (request: ApiRequest) => Answer;

export interface Filter {
  /** The name in traces, fault rules and `routes --filters`. */
  readonly step: string;
  handle(request: ApiRequest, next: Next): Answer;
}

/** Composes a list of filters into one function, the first outermost and `last` innermost. */
export function composeFilters(filters: readonly Filter[], last: Next): Next {
  return filters.reduceRight<Next>((next, filter) => around(filter, next), last);
}

function around(filter: Filter, next: Next): Next {
  return (request) =>
    request.observer === undefined
      ? filter.handle(request, next)
      : runStepInTurn(
          request.observer,
          filter.step,
          () => filter.handle(request, next),
          undefined,
          filter.handle,
        );
}
