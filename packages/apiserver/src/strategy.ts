/**
 * The resource-specific rules of storage. The generic store calls its strategy at fixed points of every write; all
 * members but `namespaced` are optional. New objects may be modified in place, old ones not.
 */
import type { FieldError } from '@coxswain/apimachinery/field-error.ts';
import type { KubeObject, Work } from '@coxswain/apimachinery';
import type { ApiRequest } from './http/api-request.ts';
import type { DeleteOptions } from './rest/options.ts';
import type { Awaitable } from './rest/storage.ts';

export interface Strategy<T extends KubeObject = KubeObject> {
  readonly namespaced: boolean;
  /** Resets fields that a client may not set; runs before validation. */
  prepareForCreate?(object: T, request: ApiRequest): void;
  prepareForUpdate?(object: T, old: T, request: ApiRequest): void;
  /** Errors that only other objects or the user's rights show; they come before those of the validation. */
  authorize?(object: T, old: T | undefined, request: ApiRequest): Awaitable<readonly FieldError[]>;
  validate?(object: T, request: ApiRequest): readonly FieldError[];
  validateUpdate?(object: T, old: T, request: ApiRequest): readonly FieldError[];
  warningsOnCreate?(object: T, request: ApiRequest): readonly string[];
  warningsOnUpdate?(object: T, old: T, request: ApiRequest): readonly string[];
  warningsOnDelete?(object: T, options: DeleteOptions, request: ApiRequest): readonly string[];
  /** The function with the kind's own rules, if `validate` only delegates to it. */
  rules?(request: ApiRequest): Work | undefined;
  /** Normalizes a valid object before it is stored. */
  canonicalize?(object: T): void;
  /**
   * Whether upstream reads a new object back differently from how it wrote it: the first write to it then counts as a
   * change, even if it changes nothing.
   */
  isReadOtherwise?(object: T): boolean;
  /**
   * Validates names by more than the usual rules: upstream's name function of the kind. A DNS subdomain if unset.
   */
  validateName?(name: string, prefix: boolean): readonly string[];
  /** Makes a name from `generateName`; appends five characters if unset. */
  generatedName?(prefix: string): string;
  /** Whether a PUT to a name that doesn't exist creates the object. */
  readonly allowCreateOnUpdate?: boolean;
  /** Whether an update without resourceVersion overwrites the stored object; true if unset. */
  readonly allowUnconditionalUpdate?: boolean;
  /** Whether DELETE returns the object instead of a Status. */
  readonly returnDeletedObject?: boolean;
  /** Determines the grace period of a deletion in seconds; undefined or absent when the kind is deleted at once. */
  gracePeriodSeconds?(object: T, options: DeleteOptions, request: ApiRequest): number | undefined;
  /** How a deletion treats dependents unless the options say so. `background` if unset. */
  readonly defaultGarbageCollection?: 'orphan' | 'background' | 'unsupported';
  /** Fields that writes through this endpoint never own, by version: `[['status']]`. */
  readonly resetFields?: readonly (readonly string[])[];
  /** The seconds after which a stored object expires (Events). */
  timeToLiveSeconds?(object: T): number | undefined;
  /**
   * Starts work that must be undone if the write fails (allocating addresses). The returned function is called with the
   * write's success.
   */
  beginCreate?(object: T, request: ApiRequest, dryRun: boolean): Awaitable<FinishWrite | undefined>;
  beginUpdate?(object: T, old: T, request: ApiRequest, dryRun: boolean): Awaitable<FinishWrite | undefined>;
  afterDelete?(object: T, request: ApiRequest): Awaitable<void>;
  /** Whether an update deletes the object because it has no finalizers left and its grace period is over. */
  shouldDeleteDuringUpdate?(object: T, old: T): boolean;
  /** Changes an object before it is served, never the stored one; for legacy fields kept in annotations. */
  decorate?(object: T): T;
}

export type FinishWrite = (succeeded: boolean) => Awaitable<void>;
