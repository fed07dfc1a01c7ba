/**
 * A recording as OpenTelemetry spans, in the JSON that collectors accept at `/v1/traces`. Undertakings and steps are
 * spans. Effects are children of their cause, in the same trace; further causes are links.
 */

import { causalityOf, type Causality } from './causality.ts';
import { endOf } from './lanes.ts';
import type { Recording, Span, Step, Undertaking } from './recording.ts';

export interface OtlpTraces {
  readonly resourceSpans: readonly OtlpResourceSpans[];
}

interface OtlpResourceSpans {
  readonly resource: { readonly attributes: readonly OtlpAttribute[] };
  readonly scopeSpans: readonly { readonly scope: { readonly name: string }; readonly spans: OtlpSpan[] }[];
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: { readonly code: number; readonly message: string };
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const spanKind = { internal: 1, server: 2, client: 3 };
const statusError = 2;

export function otlpOf(recording: Recording): OtlpTraces {
  const writer = new SpanWriter(recording);
  const spans = new Map<string, OtlpSpan[]>();
  for (const undertaking of recording.undertakings) {
    const own = spans.get(undertaking.component) ?? [];
    spans.set(undertaking.component, own);
    writer.write(undertaking, own);
  }
  return {
    resourceSpans: [...spans].map(([component, own]) => ({
      resource: { attributes: [attribute('service.name', component)] },
      scopeSpans: [{ scope: { name: recording.apiVersion }, spans: own }],
    })),
  };
}

class SpanWriter {
  readonly #causality: Causality;
  readonly #originNs: bigint;
  readonly #endNs: number;
  /** The trace of each undertaking, by the undertaking's id: that of its root. */
  readonly #traces = new Map<string, string>();

  constructor(recording: Recording) {
    this.#causality = causalityOf(recording);
    this.#originNs = unixNs(recording.startTime);
    this.#endNs = endOf(recording);
    for (const root of this.#causality.roots) this.#follow(root, root.id.padStart(32, '0'));
  }

  /** Chains of effects may be as deep as recursive calls, so neither is traversed by recursion. */
  #follow(root: Undertaking, trace: string): void {
    const left = [root];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      this.#traces.set(next.id, trace);
      left.push(...(this.#causality.effects.get(next.id) ?? []));
    }
  }

  write(undertaking: Undertaking, spans: OtlpSpan[]): void {
    const { id, kind, causes } = undertaking;
    const traceId = this.#traces.get(id)!;
    const known = causes.filter((cause) => this.#traces.has(cause));
    const parent = this.#causality.parents.get(id);
    const links = known
      .filter((cause) => cause !== parent)
      .map((cause) => ({ traceId: this.#traces.get(cause)!, spanId: cause }));
    spans.push({
      ...this.#span(undertaking, { traceId, spanId: id, parent }),
      kind: kind === 'request' ? spanKind.server : spanKind.internal,
      attributes: [attribute('coxswain.kind', kind), ...attributesOf(undertaking.values)],
      ...(links.length > 0 && { links }),
    });
    this.#writeSteps(undertaking, traceId, spans);
  }

  /** Writes each step before those within it. */
  #writeSteps({ id, steps }: Undertaking, traceId: string, spans: OtlpSpan[]): void {
    const left = below(id, steps);
    let count = 0;
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const { parent, step } = next;
      const spanId = stepId(id, ++count);
      spans.push(this.#stepSpan(step, { traceId, spanId, parent }));
      for (const inner of below(spanId, step.steps)) left.push(inner);
    }
  }

  #stepSpan(step: Step, ids: SpanIds): OtlpSpan {
    return {
      ...this.#span(step, ids),
      kind: step.name.startsWith('client') ? spanKind.client : spanKind.internal,
      attributes: [
        attribute('code.file.path', step.file),
        attribute('code.line.number', step.line),
        attribute('code.function.name', step.function),
        ...attributesOf(step.values),
      ],
    };
  }

  #span(span: Span, { traceId, spanId, parent }: SpanIds): Omit<OtlpSpan, 'kind' | 'attributes'> {
    const end = span.durationNs === undefined ? this.#endNs : span.startNs + span.durationNs;
    return {
      traceId,
      spanId,
      ...(parent !== undefined && { parentSpanId: parent }),
      name: span.name,
      startTimeUnixNano: this.#moment(span.startNs),
      endTimeUnixNano: this.#moment(Math.max(end, span.startNs)),
      ...(span.failure !== undefined && { status: { code: statusError, message: span.failure } }),
    };
  }

  #moment = (ns: number): string => String(this.#originNs + BigInt(Math.round(ns)));
}

/** In reverse order, since the stack is popped from its end. */
const below = (parent: string, steps: readonly Step[]) =>
  steps.map((step) => ({ parent, step })).toReversed();

interface SpanIds {
  readonly traceId: string;
  readonly spanId: string;
  readonly parent: string | undefined;
}

const attributesOf = (values: Span['values']): OtlpAttribute[] =>
  Object.entries(values ?? {}).map(([key, value]) => attribute(`coxswain.${key}`, value));

function attribute(key: string, value: unknown): OtlpAttribute {
  if (typeof value === 'string') return { key, value: { stringValue: value } };
  if (typeof value === 'boolean') return { key, value: { boolValue: value } };
  if (Number.isSafeInteger(value)) return { key, value: { intValue: String(value) } };
  if (typeof value === 'number') return { key, value: { doubleValue: value } };
  return { key, value: { stringValue: JSON.stringify(value) ?? String(value) } };
}

/** Parses RFC 3339 with up to nine fractional digits, which Date would truncate. */
function unixNs(time: string): bigint {
  const fraction = /\.(\d{1,9})/.exec(time)?.[1] ?? '';
  const seconds = Math.floor(Date.parse(time) / 1000);
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
}

/** The same step always gets the same id, and each step of an undertaking a different one. */
const stepId = (undertaking: string, index: number): string =>
  BigInt.asUintN(64, BigInt(`0x${undertaking}`) + BigInt(index) * goldenRatio)
    .toString(16)
    .padStart(16, '0');

/** Odd, so that all multiples differ, with digits far from any pattern. */
const goldenRatio = 0x9e3779b97f4a7c15n;
