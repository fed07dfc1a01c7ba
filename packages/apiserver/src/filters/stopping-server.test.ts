import { expect, test } from 'vitest';
import { ApiRequest } from '../http/api-request.ts';
import { emptyBody } from '../http/api-response.ts';
import { noBody } from '../http/request-body.ts';
import { RequestCounter } from '../lifecycle/request-counter.ts';
import { countInFlight } from './count-in-flight.ts';
import { composeFilters } from './filter.ts';
import { requestInfo } from './request-info.ts';
import { retryAfter } from './retry-after.ts';
import type { StoppingServer } from './stopping-server.ts';

const pods = '/api/v1/pods';

function asked(path: string, server: Partial<StoppingServer>, headers = {}) {
  const stopping = { refusesNewRequests: true, sendsRetryAfter: false, endsWatches: false, ...server };
  const handle = composeFilters(
    [requestInfo, retryAfter(stopping), countInFlight(new RequestCounter(), stopping)],
    () => ({ status: 200, headers: {}, body: emptyBody }),
  );
  const [bare = '', query = ''] = path.split('?');
  const request = new ApiRequest({
    method: 'GET',
    path: bare,
    query,
    headers,
    body: noBody,
    peer: { address: '192.0.2.1', tls: true, protocol: 'HTTP/2.0' },
    structured: false,
    signal: () => new AbortController().signal,
  });
  const answer = handle(request);
  if (answer instanceof Promise) throw new Error('nothing to wait for');
  return { status: answer.status, retryAfter: request.responseHeaders['retry-after'] };
}

test('a running server answers', () => {
  expect(asked(pods, { refusesNewRequests: false }).status).toBe(200);
});

test('new requests are told to retry elsewhere, if configured', () => {
  expect(asked(pods, { sendsRetryAfter: true })).toEqual({ status: 429, retryAfter: '5' });
});

test('requests over an old connection to a draining server are refused', () => {
  expect(asked(pods, {})).toEqual({ status: 503, retryAfter: '1' });
});

test('watches are refused only if they are ended gracefully', () => {
  expect(asked(`${pods}?watch=true`, {}).status).toBe(200);
  expect(asked(`${pods}?watch=true`, { endsWatches: true }).status).toBe(503);
});

test.each(['/readyz', '/livez/etcd', '/healthz', '/metrics'])('%s is answered until the end', (path) => {
  expect(asked(path, { sendsRetryAfter: true }).status).toBe(200);
});

test('other API servers are answered until the end', () => {
  expect(asked(pods, {}, { 'user-agent': 'kube-apiserver/v1.36.3' }).status).toBe(200);
});
