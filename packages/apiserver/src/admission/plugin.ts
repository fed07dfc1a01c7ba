/** Admission: what may change or refuse a write between its decoding and its storing. */
import type {
  GroupResource,
  GroupVersionKind,
  GroupVersionResource,
  KubeObject,
  JsonText,
  StepObserver,
} from '@coxswain/apimachinery';
import type { WorkAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import type { UserInfo } from '../user.ts';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  /** Of the request: for a subresource the subresource's kind. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  /** Empty on a create with generateName. */
  readonly name: string;
  /** The new object; a mutating plugin changes it in place or puts another here. Absent for DELETE. */
  object: KubeObject | undefined;
  /** What is stored; not to be changed. */
  readonly oldObject: KubeObject | undefined;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  readonly observer?: StepObserver | undefined;
  /** The object as the observer was told of it last. */
  told?: JsonText;
  /** How long expressions may be evaluated in this thread; as long as they take when absent. */
  readonly allowance?: WorkAllowance | undefined;
  /** When the request must be answered, in milliseconds on the monotonic clock. */
  readonly deadlineMs: number;
  /** What the plugins that call others note between the two rounds of `mutate`; made by the first of them. */
  reinvocation?: Reinvocation;
  /** meta.k8s.io's CreateOptions, UpdateOptions or DeleteOptions of the request; null for CONNECT. */
  operationOptions(): object | null;
  /** Aborts when the client goes away. */
  signal(): AbortSignal;
  /** Of the request's trace, for whoever is asked about it; nobody is told when absent. */
  readonly traceParent?: () => string | undefined;
  warn(text: string): void;
  /** Adds an annotation to the request's audit event, if that is written in at least this detail. */
  annotate(key: string, value: string, level?: 'Metadata' | 'Request'): void;
  /** That the request waited for webhooks; nobody wants to know when absent. */
  readonly noteWait?: ((part: 'mutating-webhook' | 'validating-webhook', ms: number) => void) | undefined;
}

/**
 * All mutating plugins are asked a second time when one of them asks for it: those before it may have
 * something to say to what it changed.
 */
export interface Reinvocation {
  /** Whether this is the second round; there is no third. */
  isSecondRound: boolean;
  /** Set in the first round to get a second one. */
  isWanted: boolean;
  /** By plugin. */
  readonly notes: Map<string, unknown>;
}

/** The attributes' own, made when there is none yet. */
export const reinvocationOf = (attributes: AdmissionAttributes): Reinvocation =>
  (attributes.reinvocation ??= { isSecondRound: false, isWanted: false, notes: new Map() });

/** A plugin refuses by throwing a StatusError; `refusedByAdmission` makes the usual one. */
export interface AdmissionPlugin {
  readonly name: string;
  /** What it looks at, with all subresources; everything when absent. It isn't asked about other writes. */
  readonly resources?: readonly GroupResource[];
  handles(operation: AdmissionOperation): boolean;
  mutate?(attributes: AdmissionAttributes): void | Promise<void>;
  /** False where `mutate` never changes the object itself: it puts another one there, or does nothing to it. */
  readonly changesInPlace?: false;
  validate?(attributes: AdmissionAttributes): void | Promise<void>;
}
