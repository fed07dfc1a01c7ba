/**
 * Writes an event as upstream does: members in its order, empty ones omitted, `<`, `>` and `&` escaped.
 *
 * Two events are written for every request, so the text is assembled by hand from few pieces, and pieces that repeat
 * between requests (the user, the kind, the time) are cached.
 */
import { formatMicroTime } from '@coxswain/apimachinery/time.ts';
import {
  auditLevels,
  auditStages,
  type AuditEvent,
  type AuditLevel,
  type AuditStage,
  type ResponseStatus,
} from './audit-event.ts';
import { escaped, flat, inQuotes, quoted } from './json-pieces.ts';
import { requestText } from './request-text.ts';

/** The event as a line, with its kind and version. */
export const eventLine = (event: AuditEvent): string => `${lineHeads[event.level]}${membersOf(event)}}\n`;

/** Several events as one EventList, whose items omit kind and version. */
export const eventList = (events: readonly AuditEvent[]): string =>
  `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[${events
    .map((event) => `{"level":"${event.level}","auditID":"${membersOf(event)}}`)
    .join(',')}]}\n`;

const lineHeads = Object.fromEntries(
  auditLevels.map((level) => [
    level,
    `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"${level}","auditID":"`,
  ]),
) as Readonly<Record<AuditLevel, string>>;

const stageTexts = Object.fromEntries(
  auditStages.map((stage) => [stage, `","stage":"${stage}","requestURI":"`]),
) as Readonly<Record<AuditStage, string>>;

/** The members from the audit id on; the id's opening quote has already been written. */
function membersOf(event: AuditEvent): string {
  const { responseStatus, requestObject, responseObject, annotations } = event;
  event.requestText ??= requestText(event);
  event.idText ??= inQuotes(event.auditId);
  let text = event.idText + stageTexts[event.stage] + event.requestText;
  if (responseStatus !== undefined) text += keptText(responseStatus, statusText);
  if (requestObject !== undefined) text += `,"requestObject":${escaped(requestObject)}`;
  if (responseObject !== undefined) text += `,"responseObject":${escaped(responseObject)}`;
  text += timesText(event.receivedAtMs, event.stageAtMs);
  return annotations === undefined ? text : text + keptText(annotations, annotationsText);
}

function statusText({ status, message, reason, details, code }: ResponseStatus): string {
  let text = ',"responseStatus":{"metadata":{}';
  if (status) text += `,"status":${quoted(status)}`;
  if (message) text += `,"message":${quoted(message)}`;
  if (reason) text += `,"reason":${quoted(reason)}`;
  if (details !== undefined) text += `,"details":${escaped(JSON.stringify(details))}`;
  if (code) text += `,"code":${code}`;
  return `${text}}`;
}

const texts = new WeakMap<object, string>();

/**
 * Most requests share their status and their authorization annotations, which never change, so the texts are cached.
 */
function keptText<T extends object>(value: T, textOf: (value: T) => string): string {
  const kept = texts.get(value);
  if (kept !== undefined) return kept;
  const text = textOf(value);
  if (Object.isFrozen(value)) texts.set(value, flat(text));
  return text;
}

function annotationsText(annotations: Readonly<Record<string, string>>): string {
  const keys = Object.keys(annotations);
  if (keys.length === 0) return '';
  if (keys.length > 1) keys.sort();
  let text = ',"annotations":{';
  for (let at = 0; at < keys.length; at++) {
    text += `${at === 0 ? '' : ','}${quoted(keys[at]!)}:${quoted(annotations[keys[at]!]!)}`;
  }
  return `${text}}`;
}

let latestTimes = { ms: Number.NaN, text: '' };

/** Most requests are answered in the millisecond in which they arrived. */
function timesText(receivedMs: number, stageMs: number): string {
  if (receivedMs !== stageMs) return madeTimesText(receivedMs, stageMs);
  if (receivedMs !== latestTimes.ms) {
    latestTimes = { ms: receivedMs, text: flat(madeTimesText(receivedMs, stageMs)) };
  }
  return latestTimes.text;
}

const madeTimesText = (receivedMs: number, stageMs: number): string =>
  `,"requestReceivedTimestamp":"${timeText(receivedMs)}","stageTimestamp":"${timeText(stageMs)}"`;

/** The most recently formatted second. */
let latestSecond = { seconds: Number.NaN, text: '' };

/** RFC 3339 with microseconds, of which the clock supplies only milliseconds. */
function timeText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds !== latestSecond.seconds) {
    latestSecond = { seconds, text: formatMicroTime(seconds * 1000).slice(0, -'000000Z'.length) };
  }
  return `${latestSecond.text}${String(ms - seconds * 1000).padStart(3, '0')}000Z`;
}
