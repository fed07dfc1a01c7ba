/** What scripted webhooks answer: good, bad and broken. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Received } from './hook-server.ts';

interface Review {
  readonly apiVersion: string;
  readonly request: { readonly uid: string; readonly object?: { metadata?: { labels?: object } } };
}

export const reviewOf = ({ body }: Received): Review => JSON.parse(body) as Review;

/** Bytes and their type, as they are. */
export const raw =
  (text: string | ((review: Review) => string), status = 200, headers: Record<string, string> = {}): Answer =>
  (received, response) => {
    if (received.body === '') return void response.writeHead(200).end('nothing came');
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof text === 'string' ? text : text(reviewOf(received)));
  };

/** The members of the response, besides uid and `allowed: true`; functions get the review. */
export const says = (
  members: object | ((review: Review) => object),
  around: Readonly<Record<string, unknown>> = {},
): Answer =>
  raw((review) =>
    JSON.stringify({
      apiVersion: review.apiVersion,
      kind: 'AdmissionReview',
      response: {
        uid: review.request.uid,
        allowed: true,
        ...(typeof members === 'function' ? members(review) : members),
      },
      ...around,
    }),
  );

export const patches = (operations: unknown, more: object = {}): Answer =>
  says({ patchType: 'JSONPatch', patch: base64(JSON.stringify(operations)), ...more });

export const base64 = (text: string): string => Buffer.from(text).toString('base64');

const allowing = (review: Review) =>
  JSON.stringify({ ...review, request: undefined, response: { uid: review.request.uid, allowed: true } });

const status = (members: object) =>
  JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...members });

/** For validating webhooks. */
export const validatingAnswers: Readonly<Record<string, Answer>> = {
  allow: says({}),
  'allow-warned': says({ warnings: ['one', 'one', 'two "quoted" \\ é', 'line\nbreak', 'x'.repeat(5000)] }),
  'many-warnings': says({ warnings: Array.from({ length: 40 }, (_, n) => `${n} ${'w'.repeat(300)}`) }),
  'allow-annotated': says({ auditAnnotations: { a: 'b', 'bad key!': 'c' } }),
  'allow-with-status': says({ status: { message: 'fine', code: 404 } }),
  deny: says({ allowed: false }),
  'deny-message': says({ allowed: false, status: { message: 'no' } }),
  'deny-reason': says({ allowed: false, status: { reason: 'Because' } }),
  'deny-both': says({ allowed: false, status: { reason: 'NotFound', message: 'nowhere', code: 404 } }),
  'deny-status-only': says({ allowed: false, status: { status: 'Odd' } }),
  'deny-success': says({ allowed: false, status: { status: 'Success', message: 'm', code: 200 } }),
  'deny-700': says({ allowed: false, status: { code: 700, message: 'm' } }),
  'deny-1': says({ allowed: false, status: { code: 1, message: 'm' } }),
  'deny-399': says({ allowed: false, status: { code: 399, message: 'm' } }),
  'deny-503-retry': says({
    allowed: false,
    status: { code: 503, message: 'm', details: { retryAfterSeconds: 7 } },
  }),
  'deny-details': says({
    allowed: false,
    status: {
      code: 422,
      reason: 'Invalid',
      message: 'm',
      metadata: { resourceVersion: '7', continue: 'x' },
      details: { name: 'n', group: 'g', kind: 'k', uid: 'u', causes: [{ field: 'f' }, {}] },
    },
  }),
  'deny-warned': says({ allowed: false, warnings: ['before no'] }),
  'deny-empty-status': says({ allowed: false, status: {} }),
  'deny-null-status': says({ allowed: false, status: null }),
  'no-response': raw((review) => JSON.stringify({ apiVersion: review.apiVersion, kind: 'AdmissionReview' })),
  'null-response': raw((review) =>
    JSON.stringify({ apiVersion: review.apiVersion, kind: 'AdmissionReview', response: null }),
  ),
  'empty-object': raw('{}'),
  'empty-body': raw(''),
  'empty-body-text': raw('', 200, { 'content-type': 'text/plain' }),
  'no-kind': raw((review) => JSON.stringify({ response: { uid: review.request.uid, allowed: true } })),
  'no-version': raw((review) =>
    JSON.stringify({ kind: 'AdmissionReview', response: { uid: review.request.uid, allowed: true } }),
  ),
  'other-kind': says({}, { kind: 'Pod' }),
  'list-kind': says({}, { kind: 'AdmissionReviewList' }),
  'other-version': says({}, { apiVersion: 'admission.k8s.io/v1beta1' }),
  'unknown-version': says({}, { apiVersion: 'admission.k8s.io/v2' }),
  'other-group': says({}, { apiVersion: 'apps/v1' }),
  'core-version': says({}, { apiVersion: 'v1' }),
  'bad-version': says({}, { apiVersion: 'a/b/c' }),
  'wrong-uid': says({ uid: 'other' }),
  'no-uid': says({ uid: undefined }),
  'patch-validating': says({ patch: base64('[]') }),
  'patch-type-validating': says({ patchType: 'JSONPatch' }),
  'allowed-text': says({ allowed: 'yes' }),
  'allowed-null': says({ allowed: null }),
  'warnings-text': says({ warnings: 'one' }),
  'warnings-number': says({ warnings: [1] }),
  'annotations-number': says({ auditAnnotations: { a: 1 } }),
  'status-text': says({ status: 'no' }),
  'code-text': says({ allowed: false, status: { code: '404' } }),
  'code-float': says({ allowed: false, status: { code: 404.5 } }),
  'unknown-members': says({ colour: 'red' }, { shade: 1 }),
  'upper-case': raw((review) =>
    JSON.stringify({
      apiVersion: review.apiVersion,
      kind: 'AdmissionReview',
      Response: { UID: review.request.uid, Allowed: true },
    }),
  ),
  'response-list': raw((review) =>
    JSON.stringify({ apiVersion: review.apiVersion, kind: 'AdmissionReview', response: [] }),
  ),
  'json-list': raw('[]'),
  'json-null': raw('null'),
  'json-number': raw('1'),
  'json-text': raw('"x"'),
  'not-json': raw('nothing'),
  'half-json': raw('{"apiVersion":'),
  'twice-json': raw((review) => allowing(review) + allowing(review)),
  yaml: raw('apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\n', 200, {
    'content-type': 'application/yaml',
  }),
  'kind-number': raw('{"kind":1}'),
  'status-failure-200': raw(status({ message: 'sorry', reason: 'Conflict', code: 409 })),
  'status-success-200': raw(status({ status: 'Success' })),
  'type-text': raw(allowing, 200, { 'content-type': 'text/html; charset=utf-8' }),
  'type-bad': raw(allowing, 200, { 'content-type': 'application/;;' }),
  'type-none-slash': raw(allowing, 200, { 'content-type': 'json' }),
  'code-201': raw(allowing, 201),
  'code-206': raw(allowing, 206),
  'code-207': raw(allowing, 207),
  'code-204': raw('', 204),
  ...Object.fromEntries(
    [300, 304, 400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 413, 415, 418, 422, 429].flatMap((code) => [
      [`code-${code}`, raw('json body', code)],
      [`code-${code}-text`, raw(' text body \n', code, { 'content-type': 'text/plain; charset=utf-8' })],
    ]),
  ),
  ...Object.fromEntries(
    [500, 501, 502, 503, 504, 599].flatMap((code) => [
      [`code-${code}`, raw('json body', code)],
      [`code-${code}-text`, raw(' text body \n', code, { 'content-type': 'text/plain' })],
    ]),
  ),
  'code-500-status': raw(status({ message: 'stated', reason: 'InternalError', code: 500 }), 500),
  'code-403-status': raw(status({ message: 'stated 403', reason: 'Forbidden', code: 403 }), 403),
  'code-404-success': raw(status({ status: 'Success', message: 'odd' }), 404),
  'code-500-empty-status': raw(status({}), 500),
  'code-500-no-kind': raw(JSON.stringify({ status: 'Failure', message: 'kindless' }), 500),
  'code-500-review': raw(allowing, 500),
  'code-200-after-429': afterSome(429),
  'code-200-after-503': afterSome(503),
  ...Object.fromEntries(
    [301, 302, 303, 307, 308].map((code) => [
      `redirect-${code}`,
      ((received, response) => {
        response.writeHead(code, {
          location: `https://${received.headers.host ?? received.headers[':authority']}/${received.side}/allow`,
        });
        response.end();
      }) as Answer,
    ]),
  ),
  'redirect-loop': (received, response) => {
    response.writeHead(307, { location: 'redirect-loop' }).end();
  },
  'redirect-nowhere': (_, response) => response.writeHead(302).end('x'),
  'redirect-relative': (_, response) => response.writeHead(308, { location: 'allow?x=y' }).end(),
  'redirect-http': (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/x' }).end(),
  slow: async (received, response) => {
    await sleep(1600);
    raw(allowing)(received, response, undefined as never);
  },
  'slow-body': async (received, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(' ');
    await sleep(1600);
    response.end(allowing(reviewOf(received)));
  },
  closes: (_, response) => void response.destroy(),
  'closes-in-body': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"a":');
    setTimeout(() => response.destroy(), 20);
  },
  huge: says({ status: { message: 'h'.repeat(6_000_000) } }),
};

function afterSome(code: number): Answer {
  const asked = new Map<string, number>();
  return (received, response, request) => {
    const times = (asked.get(received.side) ?? 0) + 1;
    asked.set(received.side, times);
    if (times % 3 !== 0) raw('wait', code, { 'retry-after': '0' })(received, response, request);
    else raw(allowing)(received, response, request);
  };
}

const add = (path: string, value: unknown) => ({ op: 'add', path, value });

/** For mutating webhooks. */
export const mutatingAnswers: Readonly<Record<string, Answer>> = {
  'm-allow': says({}),
  'm-deny': says({ allowed: false, status: { message: 'no' } }),
  'm-deny-patch': patches([add('/data/x', 'y')], { allowed: false }),
  'm-add': patches([add('/data/x', 'y')]),
  'm-add-nested': patches([add('/a/b/c', 'y')]),
  'm-same': patches([{ op: 'replace', path: '/metadata/name', value: 'm-same' }]),
  'm-empty': patches([]),
  'm-null': patches(null),
  'm-object': patches({ op: 'add' }),
  'm-text': patches('x'),
  'm-items': patches(['x']),
  'm-item-null': patches([null]),
  'm-no-op': patches([{ path: '/data' }]),
  'm-bad-op': patches([{ op: 'merge', path: '/data' }]),
  'm-no-path': patches([{ op: 'add', value: 1 }]),
  'm-path-number': patches([{ op: 'add', path: 1, value: 1 }]),
  'm-no-value': patches([{ op: 'add', path: '/data/x' }]),
  'm-not-json': says({ patchType: 'JSONPatch', patch: base64('nothing') }),
  'm-not-base64': says({ patchType: 'JSONPatch', patch: '%%%' }),
  'm-base64-short': says({ patchType: 'JSONPatch', patch: 'W10' }),
  'm-patch-object': says({ patchType: 'JSONPatch', patch: [] }),
  'm-other-type': patches([add('/data/x', 'y')], { patchType: 'MergePatch' }),
  'm-empty-type': patches([add('/data/x', 'y')], { patchType: '' }),
  'm-no-type': patches([add('/data/x', 'y')], { patchType: undefined }),
  'm-type-only': says({ patchType: 'JSONPatch' }),
  'm-remove-none': patches([{ op: 'remove', path: '/data/none' }]),
  'm-replace-none': patches([{ op: 'replace', path: '/none/none', value: 1 }]),
  'm-test': patches([{ op: 'test', path: '/data/k', value: 'other' }]),
  'm-move': patches([{ op: 'move', from: '/data/k', path: '/data/l' }]),
  'm-copy-none': patches([{ op: 'copy', from: '/data/none', path: '/data/l' }]),
  'm-wrong-type': patches([add('/data', 'text')]),
  'm-number': patches([add('/data/x', 1)]),
  'm-kind': patches([add('/kind', 'Secret')]),
  'm-kind-none': patches([{ op: 'remove', path: '/kind' }]),
  'm-kind-odd': patches([add('/kind', 'Odd')]),
  'm-version': patches([add('/apiVersion', 'v2')]),
  'm-name': patches([add('/metadata/name', 'renamed')]),
  'm-namespace': patches([add('/metadata/namespace', 'default')]),
  'm-uid': patches([add('/metadata/uid', '0b5ba1ac-9f0b-4d3b-8d6c-6cd0d7ac1b11')]),
  'm-generate': patches([{ op: 'remove', path: '/metadata/name' }, add('/metadata/generateName', 'g-')]),
  'm-labels': patches([add('/metadata/labels', { 'bad key': 'x' })]),
  'm-finalizers': patches([add('/metadata/finalizers', ['a.b/c', 'a.b/c'])]),
  'm-managed': patches([add('/metadata/managedFields', [{ manager: 'x', operation: 'Odd' }])]),
  'm-managed-none': patches([{ op: 'remove', path: '/metadata/managedFields' }]),
  'm-unknown': patches([add('/colour', 'red')]),
  'm-whole': patches([{ op: 'replace', path: '', value: {} }]),
  'm-rv': patches([add('/metadata/resourceVersion', '1')]),
  'm-deletion': patches([add('/metadata/deletionTimestamp', '2020-01-01T00:00:00Z')]),
  'm-warned': patches([add('/data/x', 'y')], { warnings: ['changed'] }),
  'm-spec': patches([add('/spec/minReplicas', 2)]),
};
