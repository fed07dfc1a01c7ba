/** The field management of an endpoint, based on the schema package's FieldManager. */
import {
  applyConflict,
  badRequest,
  formatTime,
  StatusError,
  type Clock,
  type KubeObject,
  type ManagedFieldsEntry,
} from '@coxswain/apimachinery';
import { ConversionError, ConversionNeeded, decodeValue, type ConvertTo, type Kind } from '@coxswain/schema';
import { ApplyConflictError } from '@coxswain/schema/structured-merge/conflict.ts';
import {
  BadConfigurationError,
  ExistingFieldsError,
  FieldManager,
  UntrackableError,
  type UpdateRequest,
} from '@coxswain/schema/structured-merge/field-manager.ts';
import { excludeFields, type FieldFilter } from '@coxswain/schema/structured-merge/reset-fields.ts';
import { ListElementError } from '@coxswain/schema/structured-merge/list-element.ts';
import { setOf } from '@coxswain/schema/field-set.ts';
import { withConversions, type ConvertElsewhere } from './conversions-elsewhere.ts';
import type { FieldManagement } from './field-management.ts';
import { withLastApplied } from './last-applied.ts';

export interface ManagedFieldsOptions {
  readonly kind: Kind;
  readonly subresource: string;
  /** Fields that writes through this endpoint never own. */
  readonly resetFields: readonly (readonly string[])[];
  /** The versions that managers may have written, including this one. */
  readonly apiVersions: readonly string[];
  readonly convert: ConvertTo | undefined;
  /** Used when `convert` throws ConversionNeeded. */
  readonly convertElsewhere?: ConvertElsewhere;
  /** Converts an object to the stored version and back; undefined if that is the endpoint's own. */
  readonly throughStored: ((object: KubeObject) => KubeObject) | undefined;
  readonly clock: Clock;
}

export function managedFields(options: ManagedFieldsOptions): FieldManagement {
  const { kind, convert, convertElsewhere } = options;
  const ready = localManagedFields(options);
  if (convertElsewhere === undefined) return ready;
  const { apiVersion } = kind;
  const retried = (work: (fields: LocalFieldManagement) => KubeObject): KubeObject | Promise<KubeObject> => {
    try {
      return work(ready);
    } catch (failure) {
      if (!(failure instanceof ConversionNeeded)) throw failure;
    }
    const again = (known: ConvertTo) => work(localManagedFields({ ...options, convert: known }));
    return withConversions(again, convert!, convertElsewhere, apiVersion);
  };
  return {
    update: (...request) => retried((fields) => fields.update(...request)),
    apply: (...request) => retried((fields) => fields.apply(...request)),
  };
}

/** Field management without external conversions. */
export interface LocalFieldManagement extends FieldManagement {
  update(...request: Parameters<FieldManagement['update']>): KubeObject;
  apply(...request: Parameters<FieldManagement['apply']>): KubeObject;
}

/** @throws ConversionNeeded when called, before anything is changed */
export const localManagedFields = (
  options: Omit<ManagedFieldsOptions, 'convertElsewhere'>,
): LocalFieldManagement => new LocalManagedFields(options);

class LocalManagedFields implements LocalFieldManagement {
  readonly #kind: Kind;
  readonly #goesThroughStored: boolean;
  readonly #clock: Clock;
  readonly #manager: FieldManager;

  constructor({
    kind,
    subresource,
    resetFields,
    apiVersions,
    convert,
    throughStored,
    clock,
  }: Omit<ManagedFieldsOptions, 'convertElsewhere'>) {
    this.#kind = kind;
    this.#goesThroughStored = throughStored !== undefined;
    this.#clock = clock;
    const filter: FieldFilter | undefined =
      resetFields.length === 0 ? undefined : excludeFields(setOf(...resetFields));
    this.#manager = new FieldManager({
      type: kind.type,
      apiVersion: kind.apiVersion,
      subresource,
      ...(filter && { resetFields: Object.fromEntries(apiVersions.map((version) => [version, filter])) }),
      ...(convert && { convert }),
      ...(throughStored && { throughStored: (object: object) => throughStored(object as KubeObject) }),
    });
  }

  update(live: KubeObject | undefined, next: KubeObject, name: string): KubeObject {
    return withManagedFields(next, this.#entriesOfUpdate({ live, next, manager: name, now: this.#now() }));
  }

  apply(live: KubeObject | undefined, config: KubeObject, name: string, force: boolean): KubeObject {
    let applied;
    try {
      applied = this.#manager.apply({
        live: this.#filled(live),
        config,
        manager: name,
        force,
        now: this.#now(),
      });
    } catch (failure) {
      throw refusalOf(failure, this.#kind, config, live);
    }
    const object =
      name === 'kubectl'
        ? withLastApplied(applied.object as KubeObject, config)
        : (applied.object as KubeObject);
    return {
      ...object,
      metadata: withEntries(object.metadata, applied.managedFields as ManagedFieldsEntry[] | undefined),
    };
  }

  #entriesOfUpdate(request: UpdateRequest): ManagedFieldsEntry[] | undefined {
    try {
      return this.#manager.update(request) as ManagedFieldsEntry[] | undefined;
    } catch (failure) {
      // An object that cannot be tracked is written nevertheless, and its fields have no owner.
      if (untrackable.some((kind) => failure instanceof kind)) return undefined;
      throw failure;
    }
  }

  /** Adds the defaults that a decoder fills in and a conversion omits. */
  #filled(live: KubeObject | undefined): KubeObject | undefined {
    return !this.#goesThroughStored || live === undefined
      ? live
      : (decodeValue(this.#kind.type, live).object as KubeObject);
  }

  #now(): string {
    return formatTime(this.#clock.now());
  }
}

const untrackable = [UntrackableError, ListElementError, ConversionError];

function withManagedFields(object: KubeObject, entries: ManagedFieldsEntry[] | undefined): KubeObject {
  if (entries !== undefined) object.metadata.managedFields = entries;
  else if (object.metadata.managedFields !== undefined) delete object.metadata.managedFields;
  return object;
}

function withEntries(
  metadata: KubeObject['metadata'] | undefined,
  entries: ManagedFieldsEntry[] | undefined,
) {
  const { managedFields: _before, ...rest } = metadata ?? {};
  return entries === undefined ? rest : { ...rest, managedFields: entries };
}

function refusalOf(
  failure: unknown,
  kind: Kind,
  { metadata }: KubeObject,
  live: KubeObject | undefined,
): unknown {
  if (failure instanceof ApplyConflictError) return conflictOf(failure);
  if (failure instanceof BadConfigurationError) return badRequest(failure.message);
  if (!(failure instanceof Error) || failure.constructor === TypeError) return failure;
  if (failure instanceof ConversionNeeded) return failure;
  if (failure instanceof ConversionError) return new StatusError(500, '', failure.message);
  // Whatever the other cause of the refusal, upstream gives no reason for it.
  if (failure instanceof ExistingFieldsError) {
    const existing = subjectOf(kind, live?.metadata);
    const what = failure.wasTracked
      ? `failed to create typed live object (${existing})`
      : `failed to create manager for existing fields: failed to convert new object (${existing}) to smd typed`;
    return new StatusError(500, '', `${what}: ${failure.message}`);
  }
  const subject = subjectOf(kind, metadata);
  return new StatusError(500, '', `failed to create typed patch object (${subject}): ${failure.message}`);
}

/** `default/web; apps/v1, Kind=Deployment` */
function subjectOf(kind: Kind, metadata: KubeObject['metadata'] | undefined): string {
  const [name, namespace] = [metadata?.name, metadata?.namespace].map((text) =>
    typeof text === 'string' ? text : '',
  );
  return `${namespace}/${name}; ${kind.group === '' ? '/' : ''}${kind.apiVersion}, Kind=${kind.kind}`;
}

const conflictOf = (failure: ApplyConflictError): StatusError =>
  applyConflict([...failure.causes], failure.message);
