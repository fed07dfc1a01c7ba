/**
 * A recording: what a program did between two moments, as undertakings, their steps, and what caused what. One value,
 * one schema, whoever writes it (a command, a server, a browser) and whoever reads it (a terminal, a page, a tool).
 * It is plain JSON. Times are nanoseconds since the recording began.
 */

import type { UndertakingKind } from '@coxswain/apimachinery';

export type { UndertakingKind };

export const recordingVersion = 'trace.coxswain.io/v1';

export interface Recording {
  readonly apiVersion: typeof recordingVersion;
  /** When the recording began: RFC 3339, with nanoseconds. */
  readonly startTime: string;
  /** In the order in which they began. */
  readonly undertakings: readonly Undertaking[];
  /** Steps that were not kept because the recording was full. */
  readonly droppedSteps?: number;
  /** The text of the source files that steps name, by their `file`. A view puts them beside the steps. */
  readonly sources?: Readonly<Record<string, string>>;
}

export interface Undertaking extends Span {
  /** Unique in the recording, and across processes: 16 hexadecimal digits, as a span of W3C trace context. */
  readonly id: string;
  readonly kind: UndertakingKind;
  /** Of W3C trace context: 32 hexadecimal digits, those of its first cause. */
  readonly traceId?: string;
  /** The program or part that undertook it: `kubectl`, `kube-apiserver`, `deployment-controller`, `kubelet/node-0`. */
  readonly component: string;
  /** The undertakings because of which there is this one; empty where nobody in the recording asked for it. */
  readonly causes: readonly string[];
  /** How each cause led here: the write's revision, the event that was watched, the key that was queued. */
  readonly links?: readonly CausalLink[];
}

export interface CausalLink {
  /** The undertaking that is the cause. */
  readonly from: string;
  /** `call`: a request that it sent; `revision`: a write of it that was seen in a watch; `queue`: a key that it queued. */
  readonly by: 'call' | 'revision' | 'queue';
  /** Of the write. */
  readonly revision?: number;
  /** What was written, or queued: `/registry/pods/default/web`, `default/web`. */
  readonly key?: string;
}

export interface Step extends Span {
  /**
   * Where the code says that the step is taken; where a loop runs what others have registered (filters, plugins,
   * reconcilers), the function that it runs. Relative to the project: `packages/apiserver/src/handlers/create.ts`.
   */
  readonly file: string;
  readonly line: number;
  readonly column?: number;
  /** The function that does the work, by its name: `syncDeployment`. */
  readonly function: string;
  /** Where that function stands, if that is elsewhere. */
  readonly definition?: { readonly file: string; readonly line: number };
}

export interface Span {
  readonly name: string;
  readonly startNs: number;
  /** Absent when it was still under way at the end of the recording. */
  readonly durationNs?: number;
  /** The message of what it threw. */
  readonly failure?: string;
  /** What went in and came out, by name. Never data of Secrets, unless they were asked for. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
}

/** Reads a recording. Throws with one line that says what is wrong with it. */
export function parseRecording(text: string): Recording {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('not a recording: invalid JSON');
  }
  const { apiVersion, undertakings } = (value ?? {}) as Partial<Recording>;
  if (apiVersion !== recordingVersion)
    throw new Error(
      `not a recording of version ${recordingVersion}: apiVersion is ${JSON.stringify(apiVersion) ?? 'missing'}`,
    );
  if (!Array.isArray(undertakings)) throw new Error('not a recording: undertakings is not a list');
  for (const undertaking of undertakings as readonly unknown[]) check(undertaking, 'undertaking');
  return value as Recording;
}

/** What readers of a recording rely on. */
const required = {
  undertaking: {
    id: 'string',
    kind: 'string',
    component: 'string',
    name: 'string',
    startNs: 'number',
    causes: 'object',
  },
  step: { name: 'string', file: 'string', line: 'number', function: 'string', startNs: 'number' },
} as const;

function check(span: unknown, what: keyof typeof required): void {
  const members = (span ?? {}) as Readonly<Record<string, unknown>>;
  for (const [name, type] of Object.entries(required[what])) {
    const isThere = typeof members[name] === type && (type !== 'object' || Array.isArray(members[name]));
    if (!isThere) throw new Error(`not a recording: ${what} without ${name}`);
  }
  if (!Array.isArray(members['steps'])) throw new Error(`not a recording: ${what} without steps`);
  for (const step of members['steps'] as readonly unknown[]) check(step, 'step');
}
