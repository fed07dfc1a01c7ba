import { here } from '@coxswain/apimachinery';
import { negotiate } from '../negotiation/negotiate.ts';
import { respondObject } from '../respond.ts';
import type { GetOptions } from '../rest/options.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Handler } from './handler.ts';
import { fromStorage } from './own-storage.ts';

/** GET of one object; sends the stored bytes if they have the requested form. */
export const get: Handler = (request, scope) => {
  const negotiated = negotiate(request, scope.negotiation);
  const { storage } = scope;
  const served = fromStorage(request, scope, here`rest/get`, storage.get, () =>
    storage.get!(request, request.info.name, getOptionsOf(request)),
  );
  return served instanceof Promise
    ? served.then((later) => respondObject(request, scope, negotiated, 200, later))
    : respondObject(request, scope, negotiated, 200, served);
};

const newest: GetOptions = { resourceVersion: '' };

const getOptionsOf = (request: ApiRequest): GetOptions =>
  request.hasQuery ? { resourceVersion: request.parameters.get('resourceVersion') ?? '' } : newest;
