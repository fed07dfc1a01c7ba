/** The options of requests, parsed and validated: those of meta.k8s.io as plain values. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { FieldSelector } from '@coxswain/apimachinery/field-selector.ts';
import type { LabelSelector } from '@coxswain/apimachinery/label-selector.ts';

export interface GetOptions {
  readonly resourceVersion: string;
}

export interface ListOptions {
  readonly labelSelector: LabelSelector;
  readonly fieldSelector: FieldSelector;
  /** Values of fields that only a version other than the stored one has. */
  readonly fieldOf?: ((object: KubeObject, field: string) => string) | undefined;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: '' | 'Exact' | 'NotOlderThan';
  /** 0 for no limit. */
  readonly limit: number;
  readonly continue: string;
  readonly timeoutSeconds: number | undefined;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  /** Whether a bookmark marks the end of the initial events; true if unset. */
  readonly marksInitialEvents?: boolean;
  /** The user to charge for the work; nobody in particular if unset. */
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
  /** `ignoreStoreReadErrorWithClusterBreakingPotential`, if the server allows it. */
  readonly ignoresReadErrors?: boolean;
}
