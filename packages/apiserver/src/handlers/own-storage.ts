/** What stores nothing as others do (reviews, logs, metrics, tokens) has code of its own: that is a step. */

import { runStepInTurn, type NameHere, type Work } from '@coxswain/apimachinery';
import type { ApiRequest } from '../http/api-request.ts';
import type { ResourceScope } from '../services/resource-scope.ts';

export function fromStorage<T>(
  request: ApiRequest,
  { storage, subresource }: ResourceScope,
  step: NameHere,
  method: Work | undefined,
  call: () => T,
): T {
  const isOwn = storage.strategy === undefined || subresource !== '';
  return isOwn && request.observer !== undefined
    ? runStepInTurn(request.observer, step, call, undefined, method)
    : call();
}
