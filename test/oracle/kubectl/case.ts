/** A recorded case of kubectl: commands, and what the original printed for them. The fields are those of the recordings. */

export interface KubectlArea {
  readonly area: string;
  readonly cases: readonly KubectlCase[];
}

export interface KubectlCase {
  readonly name: string;
  readonly needs?: readonly string[];
  /** What stands in the way of requests that make it; `$uid:Kind/name` is the uid of one that was made before. */
  readonly setup?: readonly (SetupObject | HttpStep)[];
  readonly files?: Readonly<Record<string, FileContent>>;
  /** `none`: the kubeconfig names a port that is closed. */
  readonly server?: 'none';
  /** No namespace is made for it. */
  readonly cluster?: boolean;
  /** More patterns and what stands for them. */
  readonly subst?: readonly (readonly [string, string])[];
  readonly steps: readonly (CommandStep | HttpStep)[];
  readonly answers: readonly Printed[];
}

export interface SetupObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly status?: object;
  readonly [member: string]: unknown;
}

export interface HttpStep {
  /** `POST /api/v1/namespaces` */
  readonly http: string;
  readonly body?: unknown;
  readonly type?: string;
  readonly mayFail?: boolean;
  readonly waitMs?: number;
}

/** An object stands for itself as JSON. */
export type FileContent = string | { readonly script: string } | { readonly base64: string } | object;

export interface CommandStep {
  readonly cmd: readonly string[];
  readonly stdin?: string;
  /** Null removes a variable. */
  readonly env?: Readonly<Record<string, string | null>>;
  readonly timeoutMs?: number;
  readonly waitMs?: number;
  /** Steps for when `ready` has been printed; then it ends with `until`, or with `letRun` by itself. */
  readonly during?: readonly (CommandStep | HttpStep)[];
  readonly ready?: string;
  readonly until?: string;
  readonly letRun?: boolean;
  readonly retry?: { readonly until: string; readonly timeoutMs?: number };
  /** Which lines count, of both streams or of stdout. */
  readonly pick?: string;
  readonly lines?: string;
  /** Which matches count, of stdout. */
  readonly extract?: string;
  readonly sort?: boolean;
  /** So many characters are many. */
  readonly size?: number;
  readonly ignore?: readonly string[];
  /** Lines of the log library count, too. */
  readonly klog?: boolean;
}

export interface Printed {
  readonly exit: number | string;
  readonly stdout?: readonly string[];
  readonly stderr?: readonly string[];
}

/** Commands in the order of their ends: those inside another one end before it. */
export const commandsOf = (steps: KubectlCase['steps']): CommandStep[] =>
  steps.flatMap((step) => ('http' in step ? [] : [...commandsOf(step.during ?? []), step]));
