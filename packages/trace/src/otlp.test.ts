import { expect, test } from 'vitest';
import { otlpOf } from './otlp.ts';
import { sample, step } from './recording.fixture.ts';

const spansOf = (recording = sample) =>
  otlpOf(recording).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));

test('each component is a resource', () => {
  expect(otlpOf(sample).resourceSpans.map(({ resource }) => resource.attributes)).toEqual(
    ['kubectl', 'kube-apiserver', 'replicaset-controller'].map((stringValue) => [
      { key: 'service.name', value: { stringValue } },
    ]),
  );
});

test('the effects of a command are one trace, each span below its cause', () => {
  const spans = spansOf();
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set(['000000000000000041a0000000000001']));
  expect(spans.find(({ name }) => name.startsWith('POST'))).toMatchObject({
    parentSpanId: '41a0000000000001',
    kind: 2,
    startTimeUnixNano: '1795848300126456789',
    endTimeUnixNano: '1795848300132456789',
  });
});

test('ids are valid in W3C Trace Context, and unique', () => {
  const ids = spansOf().map(({ spanId }) => spanId);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a further cause is a link', () => {
  const [command, request, reconcile] = sample.undertakings;
  const both = { ...reconcile!, causes: [request!.id, command!.id] };
  const span = spansOf({ ...sample, undertakings: [command!, request!, both] }).at(-2);
  expect(span).toMatchObject({ parentSpanId: command!.id, links: [{ spanId: request!.id }] });
});

test('deep recursion is written without overflow', () => {
  const [command] = sample.undertakings;
  let steps = [step('recurse', 1, 1)];
  for (let depth = 1; depth < 20_000; depth++) steps = [step('recurse', 1, 1, { steps })];
  const spans = spansOf({ ...sample, undertakings: [{ ...command!, steps }] });

  expect(spans).toHaveLength(20_001);
  expect(spans.slice(1).every((span, index) => span.parentSpanId === spans[index]!.spanId)).toBe(true);
});

test('places, values and failures are written', () => {
  const spans = spansOf();
  expect(spans.find(({ name }) => name === 'storage.transact')?.attributes).toContainEqual({
    key: 'code.line.number',
    value: { intValue: '89' },
  });
  expect(spans.find(({ name }) => name === 'sync')?.status).toEqual({ code: 2, message: 'conflict' });
});
