/**
 * The testing library for other languages: `/coxswain/v1/…` on the cluster's own port. The server's authorization
 * applies as for any non-resource path: administrators have access, others need a ClusterRole.
 */

import { StatusError } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Filter } from '@coxswain/apiserver/filters/filter.ts';
import type { ApiRequest } from '@coxswain/apiserver/http/api-request.ts';
import { jsonResponse, type ApiResponse } from '@coxswain/apiserver/http/api-response.ts';
import { readBody } from '@coxswain/apiserver/http/request-body.ts';
import { errorResponse } from '@coxswain/apiserver/negotiation/error-response.ts';
import type { TestCluster } from '../../../types/testing.d.ts';
import { testingOf, type Testing } from './testing-calls.ts';

export const testingPrefix = '/coxswain/v1/';

export interface TestingPaths {
  /** Records all requests except those to these paths, since a waiting call must not wait for itself. */
  aroundRecording(recording: Filter): Filter;
  /** Answers these paths and passes on all others. */
  before(inner: Filter): Filter;
  /** Sets the cluster that calls apply to from now on. */
  serve(cluster: TestCluster): void;
  /** Ends everything that was started over these paths. */
  close(): Promise<void>;
}

export function testingPaths(): TestingPaths {
  let testing: Testing | undefined;
  const isOurs = ({ info }: ApiRequest): boolean => info.path.startsWith(testingPrefix);
  return {
    aroundRecording: (recording) => ({
      step: recording.step,
      handle(request, next) {
        if (!isOurs(request)) return recording.handle(request, next);
        // Hours may pass on the server's clock during the call.
        request.longRunning = true;
        return next(request);
      },
    }),
    before: (inner) => ({
      step: inner.step,
      handle: (request, next) =>
        isOurs(request) && testing !== undefined
          ? answered(request, testing.calls)
          : inner.handle(request, next),
    }),
    serve: (cluster) => void (testing = testingOf(cluster)),
    close: async () => testing?.close(),
  };
}

async function answered(request: ApiRequest, calls: Testing['calls']): Promise<ApiResponse> {
  try {
    const [what = '', ...names] = request.info.path.slice(testingPrefix.length).split('/');
    const call = calls[`${request.method} ${[what, ...names.map(() => '*')].join('/')}`];
    if (call === undefined)
      throw new StatusError(404, 'NotFound', `no ${request.method} ${request.info.path}`);
    const text = new TextDecoder().decode(await readBody(request.incoming.body));
    const value = await call({ names, text, parameters: request.parameters });
    return jsonResponse(200, value ?? {});
  } catch (failure) {
    return errorResponse(request, failure instanceof StatusError ? failure : badRequest(failure));
  }
}

const badRequest = (failure: unknown): StatusError => new StatusError(400, 'BadRequest', messageOf(failure));
