import { expect, test } from 'vitest';
import { ApiRequest } from '../http/api-request.ts';
import { noBody } from '../http/request-body.ts';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { parseRequestInfo } from '../request-info.ts';
import { workEstimator } from './estimate-work.ts';
import { FlowCounts } from './flow-counts.ts';
import { WatchTracker } from './watch-tracker.ts';

const pods = '/api/v1/namespaces/n/pods';

function requestOf(method: string, path: string, query = ''): ApiRequest {
  const request = new ApiRequest({
    method,
    path,
    query,
    headers: {},
    body: noBody,
    peer: { address: '', tls: true, protocol: 'HTTP/2.0' },
    structured: false,
    signal: () => new AbortController().signal,
  });
  request.info = parseRequestInfo(method, path, query);
  return request;
}

/** The estimate of a server with this many pods of 1 kB each. */
function estimate(request: ApiRequest, { objects = 0, levelSeats = 0, watches = new WatchTracker() } = {}) {
  const sizes = (_group: string, resource: string) =>
    resource === 'pods' ? { objects, bytesAverage: 1_000 } : undefined;
  return workEstimator(sizes, watches)(request, levelSeats, new FlowCounts(new Metrics(), 'l', 's'));
}

test.each([
  ['reading one', 'GET', `${pods}/a`, '', 1],
  ['a list out of the cache, which is sent as it is made', 'GET', pods, '', 10],
  ['a list of one by its name', 'GET', pods, 'fieldSelector=metadata.name%3Da', 1],
  ['a page of a consistent list', 'GET', pods, 'limit=150', 2],
  ['a page that is continued', 'GET', pods, 'limit=150&continue=x', 2],
  ['what an exact revision has', 'GET', pods, 'resourceVersionMatch=Exact&resourceVersion=5', 100],
  [
    'a selection at an exact revision',
    'GET',
    pods,
    'resourceVersionMatch=Exact&resourceVersion=5&limit=10&labelSelector=a',
    50,
  ],
  ['a watch from now on', 'GET', pods, 'watch=true&resourceVersion=5', 1],
  ['a watch that begins with all there is', 'GET', pods, 'watch=true', 10],
  [
    'a watch that asks for all there is',
    'GET',
    pods,
    'watch=true&sendInitialEvents=true&resourceVersion=5',
    10,
  ],
  ['a list of what is stored elsewhere', 'GET', '/api/v1/nodes', '', 1],
  ['a list of no resource', 'GET', '/apis', '', 1],
])('of 10,000 objects %s needs so many seats', (_what, method, path, query, expected) => {
  expect(estimate(requestOf(method, path, query), { objects: 10_000 }).initialSeats).toBe(expected);
});

test('a level bounds how wide its requests are', () => {
  const wide = requestOf('GET', pods, 'resourceVersionMatch=Exact&resourceVersion=5');

  expect(estimate(wide, { objects: 10_000, levelSeats: 8 }).initialSeats).toBe(8);
});

const watching = (path: string, count: number, query = ''): WatchTracker => {
  const watches = new WatchTracker();
  for (let at = 0; at < count; at++) watches.register(requestOf('GET', path, `watch=true${query}`));
  return watches;
};

test.each([
  ['few watches', watching(pods, 9), { initialSeats: 1, finalSeats: 0, additionalLatencyMs: 0 }],
  ['some', watching(pods, 25), { initialSeats: 1, finalSeats: 3, additionalLatencyMs: 5 }],
  ['many', watching('/api/v1/pods', 1_000), { initialSeats: 1, finalSeats: 10, additionalLatencyMs: 50 }],
  [
    'others',
    watching('/api/v1/namespaces/m/pods', 100),
    { initialSeats: 1, finalSeats: 0, additionalLatencyMs: 0 },
  ],
  [
    'those of single nodes',
    watching('/api/v1/pods', 100, '&fieldSelector=spec.nodeName%3Dx'),
    { initialSeats: 1, finalSeats: 0, additionalLatencyMs: 0 },
  ],
])('a change that %s hear of goes on after its answer', (_what, watches, expected) => {
  expect(estimate(requestOf('PUT', `${pods}/a`), { watches })).toEqual(expected);
});

test('a watch that has ended does not count', () => {
  const watches = new WatchTracker();
  const ends = Array.from({ length: 20 }, () => watches.register(requestOf('GET', pods, 'watch=true')));
  const change = requestOf('POST', pods);

  expect(estimate(change, { watches }).finalSeats).toBe(2);
  for (const end of ends) end();
  expect(estimate(change, { watches }).finalSeats).toBe(0);
});

test("a service account's token causes no watch events", () => {
  const accounts = '/api/v1/namespaces/n/serviceaccounts';

  const watches = watching(accounts, 100);
  expect(estimate(requestOf('POST', `${accounts}/a/token`), { watches }).finalSeats).toBe(0);
  expect(estimate(requestOf('PUT', `${accounts}/a`), { watches }).finalSeats).toBe(10);
});
