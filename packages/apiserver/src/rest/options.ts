/** The options that requests carry, parsed and checked; meta.k8s.io's, as plain values. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { FieldSelector } from '@coxswain/apimachinery/field-selector.ts';
import type { LabelSelector } from '@coxswain/apimachinery/label-selector.ts';

export interface GetOptions {
  readonly resourceVersion: string;
}

export interface ListOptions {
  readonly labelSelector: LabelSelector;
  readonly fieldSelector: FieldSelector;
  /** Values of fields that only another version than the stored one has. */
  readonly fieldOf?: ((object: KubeObject, field: string) => string) | undefined;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: '' | 'Exact' | 'NotOlderThan';
  /** 0: no limit. */
  readonly limit: number;
  readonly continue: string;
  readonly timeoutSeconds: number | undefined;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  /** Whether a bookmark tells where the state at the start ends; so it is when absent. */
  readonly marksInitialEvents?: boolean;
  /** For whom it is; nobody in particular when absent. */
  readonly owner?: string;
}

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
}

export interface CreateOptions extends WriteOptions {}
export interface UpdateOptions extends WriteOptions {}

export interface PatchOptions extends WriteOptions {
  readonly force: boolean | undefined;
}

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export type PropagationPolicy = 'Orphan' | 'Background' | 'Foreground';

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: Preconditions;
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: PropagationPolicy;
  readonly dryRun: boolean;
  /** `ignoreStoreReadErrorWithClusterBreakingPotential`, where the server allows it. */
  readonly ignoresReadErrors?: boolean;
}
