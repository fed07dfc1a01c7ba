/**
 * A recording: what a program did between two points in time, as undertakings, their steps, and their causes. There is
 * one schema for all writers (a command, a server, a browser) and all readers (a terminal, a page, a tool). It is plain
 * JSON. Times are nanoseconds since the recording began.
 */

import type { UndertakingKind } from '@coxswain/apimachinery';

export type { UndertakingKind };

export const recordingVersion = 'trace.coxswain.io/v1';

export interface Recording {
  readonly apiVersion: typeof recordingVersion;
  /** The time at which the recording began: RFC 3339, with nanoseconds. */
  readonly startTime: string;
  /** Undertakings, in the order in which they began. */
  readonly undertakings: readonly Undertaking[];
  /** The number of steps that were dropped because the recording was full. */
  readonly droppedSteps?: number;
  /** The text of the source files that steps refer to, by their `file`, for views that show source beside steps. */
  readonly sources?: Readonly<Record<string, string>>;
}

export interface Undertaking extends Span {
  /** Unique across processes: 16 hexadecimal digits, like a span id of W3C Trace Context. */
  readonly id: string;
  readonly kind: UndertakingKind;
  /** The trace id of W3C Trace Context: 32 hexadecimal digits, inherited from the first cause. */
  readonly traceId?: string;
  /**
   * The program or component that carried it out: `kubectl`, `kube-apiserver`, `deployment-controller`,
   * `kubelet/node-0`.
   */
  readonly component: string;
  /** The ids of the undertakings that caused this one; empty if nothing in the recording did. */
  readonly causes: readonly string[];
  /**
   * How each cause led to this undertaking: the revision of a write, the event that was watched, the key that was
   * queued.
   */
  readonly links?: readonly CausalLink[];
}

export interface CausalLink {
  /** The id of the causing undertaking. */
  readonly from: string;
  /** `call`: a request that it sent; `revision`: its write, seen in a watch; `queue`: a key that it queued. */
  readonly by: 'call' | 'revision' | 'queue';
  /** The revision of the write. */
  readonly revision?: number;
  /** The key that was written or queued: `/registry/pods/default/web`, `default/web`. */
  readonly key?: string;
}

export interface Step extends Span {
  /**
   * The source file in which the step is taken. If a loop runs registered functions (filters, plugins, reconcilers),
   * the file of the function that it runs. Relative to the project: `packages/apiserver/src/handlers/create.ts`.
   */
  readonly file: string;
  readonly line: number;
  readonly column?: number;
  /** The name of the function that does the work: `syncDeployment`. */
  readonly function: string;
  /** Where that function is defined, if that is elsewhere. */
  readonly definition?: { readonly file: string; readonly line: number };
}

export interface Span {
  readonly name: string;
  readonly startNs: number;
  /** Absent if it was still running at the end of the recording. */
  readonly durationNs?: number;
  /** The message of the error that it threw. */
  readonly failure?: string;
  /** Inputs and results, by name. Data of Secrets is never included unless requested. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
}

/** Parses a recording. @throws Error with a one-line message that says what is wrong with it */
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

/** The properties that readers of a recording rely on. */
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
