/** Admission: plugins that may change or reject a write after it is decoded and before it is stored. */
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
  /** The kind of the request; for a subresource, the subresource's kind. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  /** Empty on a create with generateName. */
  readonly name: string;
  /** The new object; a mutating plugin changes it in place or replaces it here. Absent for DELETE. */
  object: KubeObject | undefined;
  /** The stored object; must not be changed. */
  readonly oldObject: KubeObject | undefined;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  readonly observer?: StepObserver | undefined;
  /** The JSON of the object as last reported to the observer. */
  reported?: JsonText;
  /** Whom the work for this request is charged to. */
  readonly owner: string;
  /** What this thread may spend on expressions and on the responses of webhooks; unlimited if unset. */
  readonly allowance?: WorkAllowance | undefined;
  /** The deadline for the answer, in milliseconds on the monotonic clock. */
  readonly deadlineMs: number;
  /** State that plugins which call out keep between the two rounds of `mutate`; created by the first of them. */
  reinvocation?: Reinvocation;
  /** meta.k8s.io's CreateOptions, UpdateOptions or DeleteOptions of the request; null for CONNECT. */
  operationOptions(): object | null;
  /** A signal that aborts when the client disconnects. */
  signal(): AbortSignal;
  /** The trace parent to pass on in calls to webhooks; absent when nothing is traced. */
  readonly traceParent?: () => string | undefined;
  warn(text: string): void;
  /** Adds an annotation to the request's audit event if that is written at this level or a more detailed one. */
  annotate(key: string, value: string, level?: 'Metadata' | 'Request'): void;
  /** Records the time that the request spent waiting for webhooks; absent when nobody records it. */
  readonly noteWait?: ((part: 'mutating-webhook' | 'validating-webhook', ms: number) => void) | undefined;
}

/**
 * Reinvocation: all mutating plugins run a second time when one of them requests it, since earlier plugins may want to
 * react to its changes.
 */
export interface Reinvocation {
  /** Whether this is the second round, which is the last. */
  isSecondRound: boolean;
  /** Set during the first round to request a second one. */
  isWanted: boolean;
  /** State of each plugin, by its name. */
  readonly notes: Map<string, unknown>;
}

/** Returns the reinvocation state of the attributes, created on first use. */
export const reinvocationOf = (attributes: AdmissionAttributes): Reinvocation =>
  (attributes.reinvocation ??= { isSecondRound: false, isWanted: false, notes: new Map() });

/** An admission plugin. It rejects a request by throwing a StatusError; `refusedByAdmission` makes the usual one. */
export interface AdmissionPlugin {
  readonly name: string;
  /**
   * The resources that it handles, including all their subresources; all resources if unset. It is not called for
   * other writes.
   */
  readonly resources?: readonly GroupResource[];
  /** Whether the plugin handles this write; every write if unset. Writes that it does not handle need no promise. */
  concerns?(attributes: AdmissionAttributes): boolean;
  handles(operation: AdmissionOperation): boolean;
  mutate?(attributes: AdmissionAttributes): void | Promise<void>;
  /** False when `mutate` never changes the object in place: it replaces the object or leaves it alone. */
  readonly changesInPlace?: false;
  validate?(attributes: AdmissionAttributes): void | Promise<void>;
}
