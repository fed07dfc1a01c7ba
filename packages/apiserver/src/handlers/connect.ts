/** Subresources with a protocol of their own: exec, attach, port-forward, proxy. */
import { inWallTime } from '@coxswain/apimachinery/wall-time.ts';
import { badRequest, here, StatusError } from '@coxswain/apimachinery';
import type { Handler } from './handler.ts';
import { asksForWebSocket } from '../http/upgrade.ts';
import { negotiate, tablelessScope, type Transform } from '../negotiation/negotiate.ts';
import { notAcceptable } from '../table/check-transform.ts';
import { attributesOfWrite } from './admit.ts';
import { fromStorage } from './own-storage.ts';
import { connectOptions } from './options/connect-options.ts';

export const connect: Handler = async (request, scope) => {
  if (request.parameters.has('dryRun')) throw badRequest('dryRun is not supported');
  const { name, parts } = request.info;
  const { admission } = scope.services;
  if (admission.handles('CONNECT')) {
    const attributes = attributesOfWrite(request, scope, {
      operation: 'CONNECT',
      name,
      object: connectOptions(scope.kind, request.parameters, parts.slice(3)),
      oldObject: undefined,
      options: {},
      dryRun: false,
    });
    await admission.mutate(attributes);
    await admission.validate(attributes);
  }
  const { storage } = scope;
  const connected = () => storage.connect!(request, name, parts.slice(3).join('/'));
  return fromStorage(request, scope, here`rest/connect`, storage.connect, connected);
};

/** A GET that responds with something other than an object, such as a log. */
export const stream: Handler = async (request, scope) => {
  const { transform } = negotiate(request, tablelessScope);
  const { storage } = scope;
  const answer = await fromStorage(request, scope, here`rest/stream`, storage.stream, () =>
    storage.stream!(request, request.info.name),
  );
  checkStreamed(transform);
  const { body } = answer;
  if (body.kind !== 'stream' || !asksForWebSocket(request.headers)) return answer;
  const { logOverWebSocket } = await inWallTime(() => import('../http/websocket-answer.ts'));
  return logOverWebSocket(request, { ...answer, body });
};

/** A stream has no metadata. */
function checkStreamed(transform: Transform | undefined): void {
  if (transform === undefined) return;
  if (transform.kind === 'PartialObjectMetadata')
    throw new StatusError(500, '', 'object does not implement the Object interfaces');
  throw notAcceptable(
    `you requested ${transform.kind}, but the requested object is not a list (*rest.LocationStreamer)`,
  );
}
