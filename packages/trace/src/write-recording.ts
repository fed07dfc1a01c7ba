/** From what was recorded to a value that can be kept and read. */

import type { Cause, StepDetail } from '@coxswain/apimachinery';
import { parseTraceParent } from '@coxswain/apimachinery/trace-parent.ts';
import { plainName, type CallSite } from './call-sites.ts';
import { plainValues } from './plain-values.ts';
import type { Places } from './places.ts';
import type { RecordedCall, RecordedLog, RecordedStep, RecordedUndertaking } from './recorded-log.ts';
import {
  recordingVersion,
  type CausalLink,
  type Recording,
  type Span,
  type Step,
  type Undertaking,
} from './recording.ts';

export function writeRecording(
  log: RecordedLog,
  places: Places,
  undertakings: readonly RecordedUndertaking[],
): Recording {
  return {
    apiVersion: recordingVersion,
    startTime: new Date(log.startTimeMs).toISOString(),
    undertakings: undertakings.map((undertaking) => written(undertaking, log, places)),
    ...(log.dropped > 0 && { droppedSteps: log.dropped }),
  };
}

function written(undertaking: RecordedUndertaking, log: RecordedLog, places: Places): Undertaking {
  const { what, id, traceId, values, writes, startMs, durationMs, failure, steps } = undertaking;
  const links = linksOf(what.causes ?? [], log, id);
  return {
    id,
    kind: what.kind,
    traceId,
    component: what.component,
    causes: [...new Set(links.map(({ from }) => from))],
    ...(links.length > 0 && { links }),
    ...span(what.name, startMs, durationMs, failure, {
      ...values,
      ...(writes.length > 0 && { writes }),
    }),
    steps: steps.map((step) => writtenStep(step, places)),
  };
}

function writtenStep(step: RecordedStep, places: Places): Step {
  const { name, startMs, durationMs, failure, values, steps = [] } = step;
  return {
    ...span(name, startMs, durationMs, failure, values),
    ...placeOf(step, places),
    steps: steps.map((inner) => writtenStep(inner, places)),
  };
}

type Placed = Pick<Step, 'file' | 'line' | 'column' | 'function' | 'definition'>;

function placeOf({ work, site, body, call }: RecordedStep, places: Places): Placed {
  if (call !== undefined) return callPlace(call.of, site, places);
  if (work !== undefined)
    return { ...(places.definition(work) ?? unknownPlace), function: plainName(work.name) };
  if (site === undefined) return { ...unknownPlace, function: plainName(body) };
  return {
    ...places.source(site.url, site.line, site.column),
    function: plainName(body) || site.function,
  };
}

/** Calls from outside of the project (timers, sockets) are placed where the function stands. */
function callPlace(of: RecordedCall['of'], site: CallSite | undefined, places: Places): Placed {
  const { name, file, line, column } = of;
  const calledAt =
    site === undefined ? { file, line, column } : places.source(site.url, site.line, site.column);
  return { ...calledAt, function: name, definition: { file, line } };
}

const unknownPlace = { file: '', line: 0 };

const nanoseconds = (ms: number): number => Math.round(ms * 1_000_000);

const span = (
  name: string,
  startMs: number,
  durationMs: number | undefined,
  failure: string | undefined,
  values: StepDetail | undefined,
): Omit<Span, 'steps'> => ({
  name,
  startNs: nanoseconds(startMs),
  ...(durationMs !== undefined && { durationNs: nanoseconds(durationMs) }),
  ...(failure !== undefined && { failure }),
  ...(values !== undefined && Object.keys(values).length > 0 && { values: plainValues(values) }),
});

/** Only now is it known who wrote what was seen: an event may come before the writer has its answer. */
function linksOf(causes: readonly Cause[], log: RecordedLog, self: string): CausalLink[] {
  return causes.flatMap((cause): CausalLink[] => {
    if (cause.by === 'revision') {
      const { revision, key } = cause;
      const writer = log.writers.get(revision);
      return writer === undefined ? [] : [{ from: writer.id, by: 'revision', revision, key }];
    }
    if (cause.by === 'queue')
      return cause.from === self ? [] : [{ from: cause.from, by: 'queue', key: cause.key }];
    const from = parseTraceParent(cause.traceParent)?.spanId;
    return from === undefined ? [] : [{ from, by: 'call' }];
  });
}
