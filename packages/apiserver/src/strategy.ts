/**
 * What is special about storing one resource. The generic store asks its strategy at fixed points of every
 * write; all members are optional but `namespaced`. New objects may be modified in place, old ones not.
 */
import type { FieldError } from '@coxswain/apimachinery/field-error.ts';
import type { KubeObject, Work } from '@coxswain/apimachinery';
import type { ApiRequest } from './http/api-request.ts';
import type { DeleteOptions } from './rest/options.ts';
import type { Awaitable } from './rest/storage.ts';

export interface Strategy<T extends KubeObject = KubeObject> {
  readonly namespaced: boolean;
  /** Resets what a client may not set; runs before validation. */
  prepareForCreate?(object: T, request: ApiRequest): void;
  prepareForUpdate?(object: T, old: T, request: ApiRequest): void;
  validate?(object: T, request: ApiRequest): readonly FieldError[];
  validateUpdate?(object: T, old: T, request: ApiRequest): readonly FieldError[];
  warningsOnCreate?(object: T, request: ApiRequest): readonly string[];
  warningsOnUpdate?(object: T, old: T, request: ApiRequest): readonly string[];
  warningsOnDelete?(object: T, options: DeleteOptions, request: ApiRequest): readonly string[];
  /** The function that has the kind's own rules, where `validate` merely leads to it. */
  rules?(request: ApiRequest): Work | undefined;
  /** Brings a valid object into the form in which it is stored. */
  canonicalize?(object: T): void;
  /**
   * Whether the original reads a new object otherwise than it wrote it: the first write to it counts, even one
   * that changes nothing.
   */
  isReadOtherwise?(object: T): boolean;
  /** Checks names beyond the usual; the original's per-kind name function. DNS subdomain when absent. */
  validateName?(name: string, prefix: boolean): readonly string[];
  /** A name out of `generateName`; with five characters added when absent. */
  generatedName?(prefix: string): string;
  /** Whether a PUT to a name that is not there creates it. */
  readonly allowCreateOnUpdate?: boolean;
  /** Whether an update without resourceVersion overwrites what is there; true when absent. */
  readonly allowUnconditionalUpdate?: boolean;
  /** Whether DELETE answers with the object instead of a Status. */
  readonly returnDeletedObject?: boolean;
  /**
   * Sets or changes the grace period of a deletion: the seconds, or undefined when the kind is deleted at
   * once. Absent: deleted at once.
   */
  gracePeriodSeconds?(object: T, options: DeleteOptions, request: ApiRequest): number | undefined;
  /** What a deletion does with dependents when the options don't say. `background` when absent. */
  readonly defaultGarbageCollection?: 'orphan' | 'background' | 'unsupported';
  /** Fields that writes through this endpoint don't own, by version: `[['status']]`. */
  readonly resetFields?: readonly (readonly string[])[];
  /** The seconds after which a stored object vanishes by itself (Events). */
  timeToLiveSeconds?(object: T): number | undefined;
  /**
   * Work around a write that is undone when the write fails (allocating addresses). The result is told
   * whether the write succeeded.
   */
  beginCreate?(object: T, request: ApiRequest, dryRun: boolean): Awaitable<FinishWrite | undefined>;
  beginUpdate?(object: T, old: T, request: ApiRequest, dryRun: boolean): Awaitable<FinishWrite | undefined>;
  afterDelete?(object: T, request: ApiRequest): Awaitable<void>;
  /** Whether an update with an object left without finalizers and a spent grace period deletes it. */
  shouldDeleteDuringUpdate?(object: T, old: T): boolean;
  /** Changes an object that is about to be served (never what is stored); for old fields kept in annotations. */
  decorate?(object: T): T;
}

export type FinishWrite = (succeeded: boolean) => Awaitable<void>;
