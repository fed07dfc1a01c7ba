/** Admission: what may change or refuse a write between its decoding and its storing. */
import type {
  GroupResource,
  GroupVersionKind,
  GroupVersionResource,
  KubeObject,
  StepObserver,
} from '@coxswain/apimachinery';
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
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions as they came. */
  readonly options: object;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  readonly observer?: StepObserver | undefined;
  warn(text: string): void;
  /** Adds an annotation to the request's audit event. */
  annotate(key: string, value: string): void;
}

/** A plugin refuses by throwing a StatusError; `refusedByAdmission` makes the usual one. */
export interface AdmissionPlugin {
  readonly name: string;
  /** What it looks at, with all subresources; everything when absent. It isn't asked about other writes. */
  readonly resources?: readonly GroupResource[];
  handles(operation: AdmissionOperation): boolean;
  mutate?(attributes: AdmissionAttributes): void | Promise<void>;
  validate?(attributes: AdmissionAttributes): void | Promise<void>;
}
