/** An answer without what differs from server to server; times become the step in which they were set. */

export interface Answer {
  readonly status: number;
  readonly warnings: string;
  readonly text: string;
}

export interface StepTimes {
  /** Of each step, when it began; whole seconds. */
  readonly startsMs: readonly number[];
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const time = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

export function viewOf(
  answer: Answer,
  { startsMs }: StepTimes,
): { status: number; warnings: string; body: unknown } {
  const text = answer.text
    .replace(uuid, 'UID')
    .replace(time, (text) => {
      const at = Date.parse(text);
      const step = startsMs.findLastIndex((start) => start <= at);
      return step < 0 ? text : `step ${step}`;
    })
    .replace(/\b10\.0\.\d+\.\d+\b/g, 'ADDRESS')
    .replace(/"(healthCheckNodePort|nodePort)":3\d{4}/g, '"$1":"PORT"')
    .replace(/(resourceVersion\\*":\\*")\d*/g, '$1VERSION');
  return { status: answer.status, warnings: answer.warnings, body: inOrder(parsed(text)) };
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** The original tells conflicts and some errors in the order of its maps. */
function inOrder(body: unknown): unknown {
  const status = body as { kind?: string; message?: string; details?: { causes?: unknown[] } };
  if (status?.kind !== 'Status' || status.message === undefined) return body;
  // It stops at the first unknown member of a map that it walks in any order.
  if (status.message.includes('field not declared in schema')) return { ...status, message: 'undeclared' };
  // Of an applied configuration it tells what is wrong in the same order.
  if (status.message.includes(': errors:\n')) {
    return { ...status, message: status.message.split('\n').toSorted().join('\n') };
  }
  const causes = status.details?.causes?.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  // Of several, the message only repeats the causes.
  const message = (causes?.length ?? 0) > 1 ? '' : status.message;
  return { ...status, message, ...(causes && { details: { ...status.details, causes } }) };
}
