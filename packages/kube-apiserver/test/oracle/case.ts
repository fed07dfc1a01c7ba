/** A recorded case: requests, and upstream's responses to them. */
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

export interface Area {
  readonly area: string;
  /** Server flags that the area requires. */
  readonly server: Readonly<Record<string, unknown>>;
  readonly cases: readonly Case[];
}

export interface Case {
  readonly name: string;
  readonly needs?: readonly string[];
  /** Whether it gets no namespace of its own. */
  readonly cluster?: boolean;
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  /** Whether it disturbs others and must run alone. */
  readonly serial?: boolean;
  readonly steps: readonly Step[];
  readonly cleanup?: readonly Step[];
  readonly webhooks?: unknown;
  readonly answers: readonly RecordedAnswer[];
}

export interface Step {
  readonly name: string;
  readonly req?: string;
  readonly body?: unknown;
  /** Content type; null sends none. */
  readonly type?: string | null;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly as?: string;
  readonly cert?: unknown;
  readonly impersonate?: Impersonation;
  readonly watch?: { readonly take?: number; readonly timeoutMs?: number };
  readonly during?: readonly Step[];
  readonly retry?: { readonly until: string; readonly timeoutMs?: number };
  readonly pauseMs?: number;
  readonly jwt?: string;
  readonly hookSeen?: string;
  readonly digits?: boolean;
  readonly raw?: boolean;
  readonly ignore?: readonly string[];
  readonly pick?: readonly string[];
  readonly sort?: readonly string[];
  readonly quiet?: boolean;
}

export interface Impersonation {
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The compared part of a response. */
export interface AnswerView {
  readonly status: number;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly stream?: string;
  readonly body?: unknown;
}

export interface RecordedAnswer extends AnswerView {
  readonly name: string;
  readonly req: string;
}

const ownDirectory = new URL('.', import.meta.url);
const suffix = '.json.gz';

export const areaNames = (directory = ownDirectory): string[] =>
  readdirSync(directory)
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.slice(0, -suffix.length))
    .toSorted();

export const loadArea = (name: string): Area => loadAreaFrom<Area>(ownDirectory, name);

export const loadAreaFrom = <T>(directory: URL, name: string): T =>
  JSON.parse(gunzipSync(readFileSync(new URL(`${name}${suffix}`, directory))).toString()) as T;

/** What a case requires that is not available in one process; undefined for nothing. */
export function whyLeftOut({ steps, webhooks }: Case): string | undefined {
  if (webhooks !== undefined) return 'a webhook that listens';
  return steps.some(needsSocket) ? 'client certificates' : undefined;
}

export const playableInProcess = (one: Case): boolean => whyLeftOut(one) === undefined;

const needsSocket = (step: Step): boolean =>
  step.cert !== undefined || step.hookSeen !== undefined || (step.during ?? []).some(needsSocket);
