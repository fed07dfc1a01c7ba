/** Summarizes what an undertaking did, for a single line. */

import type { Step, Undertaking } from '../recording.ts';
import { summaryOf } from './values-text.ts';

/** The changes of a request, the findings of a controller, or the runtime calls of a kubelet. */
export function deedsOf(undertaking: Undertaking, work: Step | undefined): string {
  const { kind, steps } = undertaking;
  if (kind === 'request') return isEvent(undertaking) ? eventText(undertaking) : changesIn(steps);
  const acts = [...actsIn(steps)];
  return [findingsOf(undertaking, work), acts.join(', ')].filter((text) => text !== '').join('  ');
}

/** What a controller found, in short. */
export function findingsOf({ name: undertaking }: Undertaking, work: Step | undefined): string {
  const found = Object.entries(work?.values ?? {}).filter(
    ([name, value]) => !isOfQueue(name) && value !== false,
  );
  return summaryOf(Object.fromEntries(found.flatMap(namedConditions)), undertaking);
}

/** Each of a list of conditions is a finding of its own: `ScalingActive="False FailedGetResourceMetric"`. */
function namedConditions([name, value]: readonly [string, unknown]): readonly (readonly [string, unknown])[] {
  if (name !== 'conditions' || !Array.isArray(value)) return [[name, value]];
  return (value as readonly { readonly type: string }[]).map((one) => [one.type, inWords(one)]);
}

/** Reports whether the undertaking only looked and did nothing. */
export const wasIdle = ({ kind, steps, failure, durationNs }: Undertaking): boolean =>
  (kind === 'reconcile' || kind === 'sync') &&
  durationNs !== undefined &&
  failure === undefined &&
  actsIn(steps).next().done === true;

/** Values about the queue, which are not findings. */
const isOfQueue = (name: string): boolean => name === 'queueLength' || name === 'retries';

/** Steps with these names act on something outside the program. */
const isAct = (name: string): boolean =>
  /^(?:runtime|cri|volume|stream|health)\//.test(name) || name === 'nft';

function* actsIn(steps: readonly Step[], reported = new Set<string>()): Generator<string> {
  for (const step of steps) {
    const act = step.name.slice(step.name.indexOf('/') + 1);
    if (isAct(step.name) && !reported.has(act)) {
      reported.add(act);
      yield act;
    }
    yield* actsIn(step.steps, reported);
  }
}

/** HTTP status codes from here on are failures. */
const failedFrom = 400;

export const hasFailed = ({ failure, values }: Undertaking): boolean =>
  failure !== undefined || Number(values?.['status'] ?? 0) >= failedFrom;

export const isEvent = ({ kind, name }: Undertaking): boolean =>
  kind === 'request' && /^(?:POST \S+\/events(?:\?|$)|PATCH \S+\/events\/)/.test(name);

/** The reason of an Event that was written: `Scheduled`. One that occurs again is only counted. */
export function reasonOf({ name, steps }: Undertaking): string {
  if (name.startsWith('PATCH')) return 'repeated';
  const { reason } = (valueIn(steps, 'object') ?? {}) as { readonly reason?: unknown };
  return typeof reason === 'string' ? reason : '';
}

/** `FailedScheduling: 0/1 nodes are available: …` */
function eventText(undertaking: Undertaking): string {
  const { message, note = message } = (valueIn(undertaking.steps, 'object') ?? {}) as {
    readonly message?: unknown;
    readonly note?: unknown;
  };
  const reason = reasonOf(undertaking);
  return typeof note === 'string' && !undertaking.name.startsWith('PATCH') ? `${reason}: ${note}` : reason;
}

interface Change {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

const changesShown = 2;

/**
 * `status.phase: Pending → Running, 4 more`: the first changes with short values, or else the beginning of the first one,
 * and the number of the others.
 */
function changesIn(steps: readonly Step[]): string {
  const changes = changesOf(steps)
    .flatMap(perCondition)
    .filter(({ path }) => !/Time$|resourceVersion$/.test(path));
  const short = changes.filter(({ before, after }) => isBrief(before) && isBrief(after));
  const shown = short.length > 0 ? short.slice(0, changesShown) : changes.slice(0, 1);
  const rest = changes.length - shown.length;
  return [...shown.map(changeText), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}

/** The first conditions of an object are one change, of which each condition says something else. */
function perCondition(change: Change): readonly Change[] {
  const { path, before, after } = change;
  if (!path.endsWith('.conditions') || before != null || !Array.isArray(after)) return [change];
  return (after as readonly { readonly type?: string; readonly status?: string }[])
    .toSorted((one, other) => Number(other.status === 'True') - Number(one.status === 'True'))
    .map((condition) => ({ path: `${path}[${condition.type}]`, after: condition }));
}

function changeText({ path, before, after }: Change): string {
  const now = after === undefined ? 'removed' : shortened(after);
  return `${path}: ${before === undefined ? '' : `${shortened(before)} → `}${now}`;
}

/** Of a condition, its status and reason: `False Unschedulable`. */
function inWords(value: unknown): string {
  if (typeof value === 'string') return value;
  const { type, status, reason } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof type === 'string' && typeof status === 'string'
    ? [status, reason].filter(Boolean).join(' ')
    : JSON.stringify(value);
}

const briefMax = 40;

const isBrief = (value: unknown): boolean => value === undefined || inWords(value).length < briefMax;

const shortened = (value: unknown): string =>
  isBrief(value) ? inWords(value) : `${inWords(value).slice(0, briefMax - 1)}…`;

/** The changes that a client sent: a patch, or an object that replaces another. */
function changesOf(steps: readonly Step[]): readonly Change[] {
  for (const { name, values, steps: inner } of steps) {
    const diff = ['patch', 'storage/update', 'handler/put'].includes(name) ? values?.['diff'] : undefined;
    if (Array.isArray(diff)) return diff as readonly Change[];
    const found = changesOf(inner);
    if (found.length > 0) return found;
  }
  return [];
}

function valueIn(steps: readonly Step[], name: string): unknown {
  for (const { values, steps: inner } of steps) {
    const value = values?.[name] ?? valueIn(inner, name);
    if (value !== undefined) return value;
  }
}
