import { ManualClock, seededRandom } from '@coxswain/apimachinery';
import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { expect, test } from 'vitest';
import type { AdmissionPlugin } from '../admission/plugin.ts';
import { inMemoryApi } from '../testing/in-memory-api.ts';
import { parseTraceParent } from '@coxswain/apimachinery/trace-parent.ts';
import { Tracer, type Span } from './tracer.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

function tracedApi(samplesPerMillion: number | undefined) {
  const spans: Span[] = [];
  const clock = new ManualClock();
  const tracer = new Tracer({
    clock,
    random: seededRandom(1),
    samplesPerMillion,
    take: (taken) => spans.push(...taken),
    flush: () => Promise.resolve(),
  });
  const tokens = 'admin-token,admin,1,"system:masters"\nother-token,other,2,"others"\n';
  const reported: (string | undefined)[] = [];
  const asking: AdmissionPlugin = {
    name: 'Asking',
    handles: () => true,
    validate: ({ traceParent }) => void reported.push(traceParent?.()),
  };
  const api = inMemoryApi({ resources: [{ kind: ConfigMap }], clock, tracer, tokens, plugins: [asking] });
  const get = (token: string, traceparent?: string) =>
    api.request('GET', '/api/v1/namespaces/default/configmaps/a', undefined, {
      authorization: `Bearer ${token}`,
      ...(traceparent !== undefined && { traceparent }),
    });
  const create = (token: string, traceparent: string) =>
    api.request(
      'POST',
      '/api/v1/namespaces/default/configmaps',
      { metadata: { name: 'a' } },
      { authorization: `Bearer ${token}`, traceparent },
    );
  return { spans, get, create, reported };
}

test('a trusted client decides that its request is traced, and its span is the parent', async () => {
  const { spans, get } = tracedApi(undefined);
  await get('admin-token', `00-${traceId}-${spanId}-01`);
  expect(spans[0]).toMatchObject({
    traceId,
    parentSpanId: spanId,
    name: 'GET /api/v1/namespaces/{:namespace}/configmaps/{:name}',
    kind: 'server',
  });
  expect(spans[0]!.attributes['http.status_code']).toBe(404);
});

test('calls made for a traced request carry the calling step as parent', async () => {
  const { spans, create, reported } = tracedApi(undefined);
  await create('admin-token', `00-${traceId}-${spanId}-01`);
  const [outgoing] = reported.map(parseTraceParent);
  expect(outgoing).toMatchObject({ traceId, isSampled: true });
  expect(spans.map((span) => span.spanId)).toContain(outgoing!.spanId);
});

test('the trace of an untraced request is passed on for a trusted client only', async () => {
  const untraced = `00-${traceId}-${spanId}-00`;
  const { create, reported } = tracedApi(undefined);
  await create('admin-token', untraced);
  await create('other-token', untraced);
  expect(reported).toEqual([untraced, undefined]);
});

test('each step is a child of the enclosing one', async () => {
  const { spans, get } = tracedApi(1_000_000);
  await get('admin-token');
  const byName = new Map(spans.map((span) => [span.name, span]));
  expect(byName.get('authorize')!.traceId).toBe(spans[0]!.traceId);
  const server = spans.find(({ name }) => name.startsWith('server/'))!;
  expect(server.parentSpanId).toBe(byName.get('authorize')!.spanId);
  expect(byName.get('handler/get')!.parentSpanId).toBe(server.spanId);
});

test("an untrusted client's decision is not followed, but its trace is linked", async () => {
  const sampled = tracedApi(1_000_000);
  await sampled.get('other-token', `00-${traceId}-${spanId}-01`);
  expect(sampled.spans[0]!.traceId).not.toBe(traceId);
  expect(sampled.spans[0]!.link).toMatchObject({ traceId, spanId });
  const unsampled = tracedApi(undefined);
  await unsampled.get('other-token', `00-${traceId}-${spanId}-01`);
  expect(unsampled.spans).toEqual([]);
});

test('a trusted client decides that its request is not traced', async () => {
  const { spans, get } = tracedApi(1_000_000);
  await get('admin-token', `00-${traceId}-${spanId}-00`);
  expect(spans).toEqual([]);
});

test.each([
  undefined,
  '',
  `00-${traceId}-${spanId}`,
  `ff-${traceId}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId}-${spanId}-01-more`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
])('%s is no traceparent', (header) => {
  expect(parseTraceParent(header)).toBeUndefined();
});
