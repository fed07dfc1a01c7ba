/** Spans as `opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest`. */
import type { Span } from '@coxswain/apiserver/tracing/tracer.ts';
import { encode, field, optional, repeated, type Input } from '@coxswain/protobuf';

/** The entity that produced the spans. */
export type Resource = Readonly<Record<string, string>>;

const KeyValue = {
  key: field(1, 'string'),
  value: field(2, { stringValue: optional(1, 'string'), intValue: optional(3, 'int64') }),
};

const SpanMessage = {
  traceId: field(1, 'bytes'),
  spanId: field(2, 'bytes'),
  parentSpanId: field(4, 'bytes'),
  name: field(5, 'string'),
  kind: field(6, 'enum'),
  startTimeUnixNano: field(7, 'fixed64'),
  endTimeUnixNano: field(8, 'fixed64'),
  attributes: repeated(9, KeyValue),
  links: repeated(13, { traceId: field(1, 'bytes'), spanId: field(2, 'bytes') }),
  status: field(15, { message: field(2, 'string'), code: field(3, 'enum') }),
};

const ExportTraceServiceRequest = {
  resourceSpans: repeated(1, {
    resource: field(1, { attributes: repeated(1, KeyValue) }),
    scopeSpans: repeated(2, {
      scope: field(1, { name: field(1, 'string') }),
      spans: repeated(2, SpanMessage),
    }),
  }),
};

const scopeName = 'coxswain/kube-apiserver';
const kinds = { internal: 1, server: 2 } as const;
const errorStatus = 2;

export const exportRequest = (resource: Resource, spans: readonly Span[]): Uint8Array =>
  encode(ExportTraceServiceRequest, {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: scopeName }, spans: spans.map(spanMessage) }],
      },
    ],
  });

const spanMessage = (span: Span): Input<typeof SpanMessage> => ({
  traceId: Buffer.from(span.traceId, 'hex'),
  spanId: Buffer.from(span.spanId, 'hex'),
  parentSpanId: Buffer.from(span.parentSpanId, 'hex'),
  name: span.name,
  kind: kinds[span.kind],
  startTimeUnixNano: nanos(span.startMs),
  endTimeUnixNano: nanos(span.endMs),
  attributes: attributesOf(span.attributes),
  ...(span.link && {
    links: [{ traceId: Buffer.from(span.link.traceId, 'hex'), spanId: Buffer.from(span.link.spanId, 'hex') }],
  }),
  ...(span.failure !== undefined && { status: { message: span.failure, code: errorStatus } }),
});

const attributesOf = (values: Readonly<Record<string, string | number>>): Input<typeof KeyValue>[] =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: value },
  }));

const nanosInMicro = 1000n;

/** Includes fractions of a millisecond. */
const nanos = (ms: number): bigint => BigInt(Math.round(ms * 1000)) * nanosInMicro;
