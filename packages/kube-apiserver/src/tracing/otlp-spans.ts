/** Spans as `opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest`. */
import type { Span } from '@coxswain/apiserver/tracing/tracer.ts';
import {
  bytesField,
  fixed64Field,
  message,
  numberField,
  textField,
} from '@coxswain/apiserver/protobuf-writer.ts';

/** Who made the spans. */
export type Resource = Readonly<Record<string, string>>;

const scopeName = 'coxswain/kube-apiserver';
const kinds = { internal: 1, server: 2 } as const;
const errorStatus = 2;

export const exportRequest = (resource: Resource, spans: readonly Span[]): Uint8Array =>
  bytesField(
    1,
    message([
      bytesField(1, message(Object.entries(resource).map(([key, value]) => attribute(1, key, value)))),
      bytesField(
        2,
        message([
          bytesField(1, textField(1, scopeName)),
          ...spans.map((span) => bytesField(2, spanBytes(span))),
        ]),
      ),
    ]),
  );

function spanBytes(span: Span): Uint8Array {
  return message([
    bytesField(1, Buffer.from(span.traceId, 'hex')),
    bytesField(2, Buffer.from(span.spanId, 'hex')),
    ...(span.parentSpanId === '' ? [] : [bytesField(4, Buffer.from(span.parentSpanId, 'hex'))]),
    textField(5, span.name),
    numberField(6, kinds[span.kind]),
    fixed64Field(7, nanos(span.startMs)),
    fixed64Field(8, nanos(span.endMs)),
    ...Object.entries(span.attributes).map(([key, value]) => attribute(9, key, value)),
    ...(span.link === undefined ? [] : [bytesField(13, linkBytes(span.link))]),
    ...(span.failure === undefined
      ? []
      : [bytesField(15, message([textField(2, span.failure), numberField(3, errorStatus)]))]),
  ]);
}

const linkBytes = ({ traceId, spanId }: NonNullable<Span['link']>): Uint8Array =>
  message([bytesField(1, Buffer.from(traceId, 'hex')), bytesField(2, Buffer.from(spanId, 'hex'))]);

/** A KeyValue with an AnyValue in it. */
const attribute = (at: number, key: string, value: string | number): Uint8Array =>
  bytesField(
    at,
    message([
      textField(1, key),
      bytesField(2, typeof value === 'string' ? textField(1, value) : numberField(3, value)),
    ]),
  );

const nanosInMicro = 1000n;

/** Fractions of a millisecond count. */
const nanos = (ms: number): bigint => BigInt(Math.round(ms * 1000)) * nanosInMicro;
