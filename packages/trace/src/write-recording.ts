/** Converts the recorded data to a value that can be stored and read. */

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

export interface WrittenOptions {
  /** Whether to include the data of Secrets, which is only for those who may read them. */
  readonly showsSecrets?: boolean | undefined;
}

export function writeRecording(
  log: RecordedLog,
  places: Places,
  undertakings: readonly RecordedUndertaking[],
  { showsSecrets = false }: WrittenOptions = {},
): Recording {
  const writing = { log, places, showsSecrets };
  return {
    apiVersion: recordingVersion,
    startTime: new Date(log.startTimeMs).toISOString(),
    undertakings: undertakings.map((undertaking) => written(undertaking, writing)),
    ...(log.dropped > 0 && { droppedSteps: log.dropped }),
  };
}

interface Writing {
  readonly log: RecordedLog;
  readonly places: Places;
  readonly showsSecrets: boolean;
}

function written(undertaking: RecordedUndertaking, writing: Writing): Undertaking {
  const { what, id, traceId, values, writes, startMs, durationMs, failure, steps } = undertaking;
  const links = linksOf(what.causes ?? [], writing.log, id);
  return {
    id,
    kind: what.kind,
    traceId,
    component: what.component,
    causes: [...new Set(links.map(({ from }) => from))],
    ...(links.length > 0 && { links }),
    ...span({ name: what.name, startMs, durationMs, failure }),
    ...reported({ ...values, ...(writes.length > 0 && { writes }) }, writing),
    steps: steps.map((step) => writtenStep(step, writing)),
  };
}

function writtenStep(step: RecordedStep, writing: Writing): Step {
  const { values, steps } = step;
  return {
    ...span(step),
    ...reported(values, writing),
    ...placeOf(step, writing.places),
    steps: steps.map((inner) => writtenStep(inner, writing)),
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

/** A call from outside the project (timers, sockets) is placed at the definition of the function. */
function callPlace(of: RecordedCall['of'], site: CallSite | undefined, places: Places): Placed {
  const { name, file, line, column } = of;
  const calledAt =
    site === undefined ? { file, line, column } : places.source(site.url, site.line, site.column);
  return { ...calledAt, function: name, definition: { file, line } };
}

const unknownPlace = { file: '', line: 0 };

const nanoseconds = (ms: number): number => Math.round(ms * 1_000_000);

const span = ({
  name,
  startMs,
  durationMs,
  failure,
}: Pick<RecordedStep, 'name' | 'startMs' | 'durationMs' | 'failure'>): Omit<Span, 'steps' | 'values'> => ({
  name,
  startNs: nanoseconds(startMs),
  ...(durationMs !== undefined && { durationNs: nanoseconds(durationMs) }),
  ...(failure !== undefined && { failure }),
});

const reported = (values: StepDetail | undefined, { showsSecrets }: Writing): Pick<Span, 'values'> =>
  values === undefined || Object.keys(values).length === 0
    ? {}
    : { values: plainValues(values, showsSecrets) };

/** Causes are resolved only now, since an event may arrive before its writer gets the response. */
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
