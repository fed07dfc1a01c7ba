/**
 * Maintains managedFields: fields changed by a plain write become the writer's (`update`), fields stated in an apply
 * become the applier's, with conflicts if others own them (`apply`). One per kind, version and subresource; it is
 * stateless.
 */

import { decodeValue } from '../decode.ts';
import { wasSentEmpty, withEmptied } from '../decode/emptied.ts';
import { deepEqual } from '../strategic-merge/values.ts';
import { compare, type Comparison } from './compare.ts';
import { ApplyConflictError, type Conflict } from './conflict.ts';
import { capUpdaters } from './cap-updaters.ts';
import {
  difference,
  haveCommonPath,
  intersection,
  isEmptySet,
  isSubset,
  leaf,
  pathsOf,
  union,
  type FieldSet,
} from '../field-set.ts';
import {
  decodeManagers,
  encodeManagers,
  identityOf,
  isReadableEntry,
  compareText,
  type ManagedFieldsEntry,
  type Manager,
  type Managers,
  type ManagerOperation,
  type UncheckedEntry,
} from './managers.ts';
import { checkAgainstLastApplied } from './last-applied.ts';
import { ListElementError } from './list-element.ts';
import { mergeInto } from './merge.ts';
import { ownedFields } from './owned-fields.ts';
import { prune, type Pruned } from './prune.ts';
import { reconciled } from './reconcile.ts';
import { neverOwned, unfiltered, type FieldFilter } from './reset-fields.ts';
import { trackingProblemOf, validateConfiguration } from './validate.ts';
import { converted, during, Versions, type ConvertTo } from './versions.ts';
import type { StructType } from '../type.ts';

export interface FieldManagerOptions {
  readonly type: StructType;
  readonly apiVersion: string;
  /** Empty for the object itself. */
  readonly subresource?: string;
  /** By version. */
  readonly resetFields?: Readonly<Record<string, FieldFilter>>;
  /** Required for kinds with several versions. */
  readonly convert?: ConvertTo;
  /** Converts an object to the stored version and back, if that is another one. */
  readonly throughStored?: (object: object) => object;
}

/** The relevant fields of an object. */
interface ManagedObject {
  readonly metadata?: {
    readonly uid?: string;
    readonly annotations?: Readonly<Record<string, string>> | null;
    readonly managedFields?: readonly UncheckedEntry[] | null;
  } | null;
}

export interface UpdateRequest {
  /** Undefined for a create. */
  readonly live: object | undefined;
  /** Normalized, defaulted, as it will be stored; its managedFields are those of the request. */
  readonly next: object;
  readonly manager: string;
  /** RFC 3339, whole seconds. */
  readonly now: string;
}

export interface ApplyRequest {
  /** Undefined when the apply creates the object; then pass the kind's empty object with its name. */
  readonly live: object | undefined;
  /** Plain values as received; not decoded, since absent and zero differ. */
  readonly config: object;
  readonly manager: string;
  readonly force: boolean;
  readonly now: string;
}

export interface Applied {
  /** Plain values, to be decoded and defaulted; the live object itself when nothing changed. */
  readonly object: object;
  readonly isChanged: boolean;
  /** For the object's metadata; undefined when no field has an owner. */
  readonly managedFields: ManagedFieldsEntry[] | undefined;
}

/** An apply that is refused as a bad request. */
export class BadConfigurationError extends Error {}

/** The stored object can't be tracked: it has elements that cannot be identified, or fields unknown to its schema. */
export class ExistingFieldsError extends Error {
  /** Whether its fields had owners before. */
  readonly wasTracked: boolean;

  constructor(message: string, wasTracked: boolean) {
    super(message);
    this.wasTracked = wasTracked;
  }
}

/** An object that can't be tracked, from a write that need not track it. */
export class UntrackableError extends Error {}

export class FieldManager {
  readonly #type: StructType;
  readonly #apiVersion: string;
  readonly #subresource: string;
  readonly #resetFields: Readonly<Record<string, FieldFilter>>;
  readonly #convert: ConvertTo;
  readonly #throughStored: (object: object) => object;
  #empty: object | undefined;

  constructor({
    type,
    apiVersion,
    subresource = '',
    resetFields = {},
    convert = () => undefined,
    throughStored = (object) => object,
  }: FieldManagerOptions) {
    this.#type = type;
    this.#apiVersion = apiVersion;
    this.#subresource = subresource;
    this.#resetFields = resetFields;
    this.#convert = convert;
    this.#throughStored = throughStored;
  }

  /**
   * The managedFields of `next`. Invalid parts of stored ones are dropped.
   * @throws UntrackableError when the object doesn't fit its schema
   * @throws ConversionError when the object cannot be converted to a version that a manager wrote
   * @throws ConversionNeeded
   */
  update({ live, next, manager, now }: UpdateRequest): ManagedFieldsEntry[] | undefined {
    const managers = this.#managersOf(live, next);
    const isCreate = live === undefined || !(live as ManagedObject).metadata?.uid;
    // An object without managers stays untracked until somebody applies to it.
    if (managers.size === 0 && !isCreate) return undefined;
    this.#checkTrackable(next);
    if (live !== undefined) this.#checkTrackable(live);
    withEmptied(next, () => {
      this.#recordUpdate(managers, live ?? this.#emptyObject(), this.#throughStored(next), manager, now);
    });
    return encodeManagers(capUpdaters(managers));
  }

  /**
   * @throws BadConfigurationError when the configuration has another version or contains readable managedFields
   * @throws ApplyConflictError unless `force`
   * @throws ConfigurationError when the configuration doesn't fit the schema
   * @throws ConversionError as for updates
   * @throws ConversionNeeded
   */
  apply({ live, config, manager, force, now }: ApplyRequest): Applied {
    const before = withoutManagedFields(live ?? this.#emptyObject());
    const managers = decodeManagers((live as ManagedObject | undefined)?.metadata?.managedFields ?? []);
    const wasTracked = managers.size > 0;
    if (!wasTracked) this.#recordExisting(managers, before, now);
    this.#checkConfiguration(config);
    validateConfiguration(this.#type, config);
    const problem = wasTracked ? this.#trackingProblemOf(before) : undefined;
    if (problem !== undefined) throw new ExistingFieldsError(problem, wasTracked);
    try {
      return this.#applyTo(before, managers, config, manager, force, now);
    } catch (error) {
      if (manager !== 'kubectl' || !(error instanceof ApplyConflictError)) throw error;
      checkAgainstLastApplied(this.#type, this.#apiVersion, before, error);
      return this.#applyTo(before, managers, config, manager, true, now);
    }
  }

  /**
   * Records the fields of an object that was not tracked until now. @throws ExistingFieldsError when it can't be
   * tracked
   */
  #recordExisting(managers: Map<string, Manager>, before: object, now: string): void {
    const problem = this.#trackingProblemOf(before);
    if (problem !== undefined) throw new ExistingFieldsError(problem, false);
    try {
      this.#recordUpdate(managers, this.#emptyObject(), before, 'before-first-apply', now);
    } catch (failure) {
      if (!(failure instanceof ListElementError)) throw failure;
      throw new ExistingFieldsError(this.#problemOf(before) ?? failure.message, false);
    }
  }

  /** @throws UntrackableError */
  #checkTrackable(object: object): void {
    const problem = this.#trackingProblemOf(object);
    if (problem !== undefined) throw new UntrackableError(problem);
  }

  /** Objects decoded into built-in types always fit. */
  #trackingProblemOf(object: object): string | undefined {
    return this.#type.isCustom ? trackingProblemOf(this.#type, object) : undefined;
  }

  /** Includes the path of the problem. */
  #problemOf(object: object): string | undefined {
    try {
      validateConfiguration(this.#type, object);
      return undefined;
    } catch (failure) {
      return (failure as Error).message;
    }
  }

  #checkConfiguration(config: { apiVersion?: unknown; metadata?: { managedFields?: unknown } }): void {
    if (config.apiVersion !== this.#apiVersion) {
      throw new BadConfigurationError(
        `Incorrect version specified in apply patch. Specified patch version: ${String(config.apiVersion)}, expected: ${this.#apiVersion}`,
      );
    }
    const entries = config.metadata?.managedFields;
    if (Array.isArray(entries) && entries.every(isReadableEntry)) {
      throw new BadConfigurationError('metadata.managedFields must be nil');
    }
  }

  #applyTo(
    before: object,
    known: ReadonlyMap<string, Manager>,
    config: object,
    name: string,
    force: boolean,
    now: string,
  ): Applied {
    const live = this.#versionsOf(before);
    const managers = new Map(known);
    reconcileManagers(managers, live);
    const self = this.#managerOf(name, 'Apply');
    const identity = identityOf(self);
    const last = managers.get(identity);
    const filter = this.#resetFields[this.#apiVersion] ?? unfiltered;
    const fields = filter(ownedFields(this.#type, config));
    // The owner keeps its time, even if its fields were dropped with their version.
    managers.set(identity, { ...self, time: known.get(identity)?.time, fields });
    const merged = mergeInto(this.#type, before, config);
    const { object, compared } = this.#pruned(merged as object, managers, last, fields);
    const comparison = compare(this.#type, before, compared);
    this.#yieldFields(managers, identity, live, object, comparison, force);
    const isChanged = !deepEqual(before, object);
    const own = managers.get(identity);
    if (own !== undefined) {
      // The time changes only with the object.
      managers.set(identity, {
        ...own,
        fields: difference(own.fields, neverOwned),
        time: isChanged ? now : own.time,
      });
    }
    return { object: isChanged ? object : before, isChanged, managedFields: encodeManagers(managers) };
  }

  #pruned(
    merged: object,
    managers: ReadonlyMap<string, Manager>,
    last: Manager | undefined,
    next: FieldSet,
  ): Pruned {
    if (last === undefined) return { object: merged, compared: merged };
    return during('failed to prune fields', () =>
      prune({
        merged: { type: this.#type, apiVersion: this.#apiVersion, object: merged },
        last,
        next,
        managers: managers.values(),
        toVersion: (versioned, apiVersion) => converted(versioned, apiVersion, this.#convert),
      }),
    );
  }

  #versionsOf(object: object): Versions {
    return new Versions({ type: this.#type, apiVersion: this.#apiVersion, object }, this.#convert);
  }

  /** Removes the changed fields from all other managers. @throws ApplyConflictError if there are any, without force */
  #yieldFields(
    managers: Map<string, Manager>,
    identity: string,
    before: Versions,
    next: object,
    comparison: Comparison,
    force: boolean,
  ): void {
    const byVersion = new Map<string, Comparison | undefined>([
      [this.#apiVersion, this.#withoutReset(comparison, this.#apiVersion)],
    ]);
    const after = this.#versionsOf(next);
    const conflicts: Conflict[] = [];
    const rests = new Map<string, FieldSet>();
    for (const [other, manager] of [...managers].sort(([a], [b]) => compareText(a, b))) {
      if (other === identity) continue;
      const seen = this.#comparisonIn(byVersion, manager.apiVersion, before, after);
      if (seen === undefined) {
        managers.delete(other);
        continue;
      }
      const taken = intersection(manager.fields, seen.changed);
      if (!isEmptySet(taken)) for (const path of pathsOf(taken)) conflicts.push({ manager, path });
      rests.set(other, difference(difference(manager.fields, taken), seen.removed));
    }
    if (conflicts.length > 0 && !force) throw new ApplyConflictError(conflicts);
    for (const [other, fields] of rests) {
      if (isEmptySet(fields)) managers.delete(other);
      else managers.set(other, { ...managers.get(other)!, fields });
    }
  }

  #comparisonIn(
    byVersion: Map<string, Comparison | undefined>,
    apiVersion: string,
    before: Versions,
    after: Versions,
  ): Comparison | undefined {
    if (!byVersion.has(apiVersion)) {
      const left = during('failed to convert old object', () => before.in(apiVersion));
      const right = during('failed to convert new object', () => after.in(apiVersion));
      const comparison =
        left && right && this.#withoutReset(compare(right.type, left.object, right.object), apiVersion);
      byVersion.set(apiVersion, comparison);
    }
    return byVersion.get(apiVersion);
  }

  #withoutReset(comparison: Comparison, apiVersion: string): Comparison {
    const filter = this.#resetFields[apiVersion];
    if (filter === undefined) return comparison;
    return { changed: filter(comparison.changed), removed: filter(comparison.removed) };
  }

  #recordUpdate(managers: Map<string, Manager>, live: object, next: object, name: string, now: string): void {
    const [before, after] = [withoutManagedFields(live), withoutManagedFields(next)];
    const versions = this.#versionsOf(before);
    reconcileManagers(managers, versions);
    const comparison = compare(this.#type, before, after);
    const self = this.#managerOf(name, 'Update');
    const identity = identityOf(self);
    if (this.#changesOwnOnly(managers, identity, comparison)) {
      managers.set(identity, { ...managers.get(identity)!, time: now });
      return;
    }
    this.#yieldFields(managers, '', versions, after, comparison, true);
    const filter = this.#resetFields[this.#apiVersion] ?? unfiltered;
    const fields = difference(filter(comparison.changed), neverOwned);
    if (isEmptySet(fields)) return;
    const previous = managers.get(identity);
    managers.set(identity, {
      ...self,
      time: now,
      fields: previous === undefined ? fields : union(fields, previous.fields),
    });
  }

  /** New values of fields that only this manager owns, as in every heartbeat: ownership doesn't change. */
  #changesOwnOnly(managers: Managers, identity: string, comparison: Comparison): boolean {
    const { changed, removed } = this.#withoutReset(comparison, this.#apiVersion);
    const own = managers.get(identity);
    if (own === undefined || isEmptySet(changed) || !isEmptySet(removed)) return false;
    if (!isSubset(changed, own.fields) || haveCommonPath(own.fields, neverOwned)) return false;
    for (const [other, { apiVersion, fields }] of managers) {
      if (other === identity) continue;
      if (apiVersion !== this.#apiVersion || haveCommonPath(fields, changed)) return false;
    }
    return true;
  }

  #managerOf(name: string, operation: ManagerOperation): Manager {
    return {
      name: name === '' ? 'unknown' : name,
      operation,
      apiVersion: this.#apiVersion,
      subresource: this.#subresource,
      time: undefined,
      fields: leaf,
    };
  }

  /**
   * Those of the request, unless they are empty or unreadable, or the write is to a subresource. `[{}]` and `[]` clear
   * them.
   */
  #managersOf(live: ManagedObject | undefined, next: ManagedObject): Map<string, Manager> {
    const stored = live?.metadata?.managedFields ?? [];
    const { metadata } = next;
    const asked = wasSentEmpty(metadata, 'managedFields') ? [] : metadata?.managedFields;
    if (this.#subresource === '' && asked) {
      if (asked.length === 0 || (asked.length === 1 && Object.keys(asked[0]!).length === 0)) return new Map();
      // Most clients send back what they read: the known sets are then reused.
      if (asked !== stored && !deepEqual(asked, stored)) {
        const managers = decodedOrEmpty(asked);
        if (managers.size > 0) return managers;
      }
    }
    return decodedOrEmpty(stored);
  }

  #emptyObject(): object {
    return (this.#empty ??= decodeValue(this.#type, {}).object as object);
  }
}

/** Adapts managers' fields to the current types; managers of versions that no longer exist own nothing. */
function reconcileManagers(managers: Map<string, Manager>, live: Versions): void {
  for (const [identity, manager] of managers) {
    const seen = live.in(manager.apiVersion);
    if (seen === undefined) {
      managers.delete(identity);
      continue;
    }
    const fields = reconciled(seen.type, manager.fields);
    if (fields !== manager.fields) managers.set(identity, { ...manager, fields });
  }
}

function withoutManagedFields(object: object): object {
  const { metadata } = object as { metadata?: { managedFields?: unknown } };
  if (metadata?.managedFields === undefined) return object;
  const { managedFields: _managedFields, ...rest } = metadata;
  return { ...object, metadata: rest };
}

function decodedOrEmpty(entries: readonly UncheckedEntry[]): Map<string, Manager> {
  try {
    return decodeManagers(entries);
  } catch {
    return new Map();
  }
}
