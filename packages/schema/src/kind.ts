/** A kind: a struct with type and object metadata, its names, and its specific behaviour. */

import { ListMeta, ObjectMeta } from './meta.ts';
import {
  always,
  list,
  optional,
  string,
  struct,
  type Field,
  type Fields,
  type ObjectOf,
  type Static,
  type StructType,
  type Typed,
} from './type.ts';
import type { FieldError } from './field-error.ts';

export interface KindNames {
  readonly plural: string;
  /** Defaults to the kind in lower case. */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
}

export type Cell = string | number | bigint | boolean | null | undefined;

/** A printer column; `priority` 1 and higher is for wide output. */
export interface Column<T> {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly priority?: number;
  readonly description?: string;
  /**
   * Whether rows have the cell while the table lacks the column definition: a mistake of upstream that clients may see.
   */
  readonly isUndeclared?: boolean;
  /** Returns the cell; `nowMs` is for ages. Undefined where upstream sends no value (`null`). */
  readonly cell: (object: T, nowMs: number) => Cell;
}

/** The context of a validation besides the objects. */
export interface ValidationContext {
  readonly nowMs: number;
  /** The server's `--allow-privileged`. */
  readonly allowPrivileged: boolean;
  /** Whether a feature gate is enabled. */
  readonly enabled: (gate: string) => boolean;
  /** The minor version of Kubernetes that must be able to read stored objects. */
  readonly minCompatibility: number;
}

/** Returns all errors of a write, in upstream's order; `old` is set for updates. */
export type Validate<T> = (
  object: T,
  old: T | undefined,
  context: ValidationContext,
) => readonly FieldError[];

/** Like {@link Validate}, for writes to an existing object. */
export type ValidateUpdate<T> = (object: T, old: T, context: ValidationContext) => readonly FieldError[];

/** The condition of a row in a Table: a finished pod is `Completed`. */
export interface RowCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/** The specific behavior of a kind, in the order in which a write uses it. */
export interface KindBehaviour<T> {
  /**
   * Defaults that depend on other values. They run in this order after the fields' own defaults and modify the object.
   */
  readonly defaults?: readonly ((object: T, nowMs: number) => void)[];
  /**
   * Validates a create or update of the object itself, including metadata and its name. For an update it also checks
   * immutable fields; the object then already has what the strategy preserves from `old` (status, uid,
   * creationTimestamp). Works on defaulted objects of this version.
   */
  readonly validate?: Validate<T>;
  /** Validates a write to `/status`. */
  readonly validateStatus?: ValidateUpdate<T>;
  /**
   * Validates a write to another subresource that accepts the whole object: `ephemeralcontainers`, `resize`,
   * `approval`.
   */
  readonly validateSubresource?: Readonly<Record<string, ValidateUpdate<T>>>;
  /** Texts of Warning headers, computed after successful validation; `old` is set for updates. */
  readonly warnings?: (
    object: T,
    old: T | undefined,
    features: Pick<ValidationContext, 'enabled' | 'minCompatibility'>,
  ) => readonly string[];
  /** Like `warnings`, for a write to `/status`. */
  readonly statusWarnings?: (object: T, old: T) => readonly string[];
  /** Annotations that are fields in upstream's internal version; partial metadata omits them. */
  readonly annotationsOfFields?: readonly string[];
  readonly columns?: readonly Column<T>[];
  readonly rowConditions?: (object: T) => readonly RowCondition[];
  /** The order of a list's rows. Defaults to the order of the list. */
  readonly rowOrder?: (one: T, other: T) => number;
  /** Field selectors other than those on metadata, which {@link MetadataSelectors} defines. */
  readonly selectableFields?: Readonly<Record<string, (object: T) => string>>;
  /** Defaults to `generic`. */
  readonly metadataSelectors?: MetadataSelectors;
}

/**
 * How a kind handles field selectors on metadata, and its error for an unknown one:
 *
 * | | metadata.name | metadata.namespace | unknown field |
 * |---|---|---|---|
 * | `generic` | yes | yes | `"x" is not a known field selector: only "metadata.name", "metadata.namespace"` |
 * | `listed` | yes | yes | `field label not supported: x` |
 * | `nameOnly` | yes | no | `field label not supported: x` |
 * | `kindNamed` | yes | yes | `field label "x" not supported for <Kind>` |
 * | `gvkNamed` | yes | no | `field label not supported for <apiVersion>, Kind=<Kind>: x` |
 */
export type MetadataSelectors = 'generic' | 'listed' | 'nameOnly' | 'kindNamed' | 'gvkNamed';

type TypeMetaFields = {
  readonly kind: Field<typeof string, 'always'>;
  readonly apiVersion: Field<typeof string, 'always'>;
};
type KindFields<F extends Fields> = TypeMetaFields & F;

export interface Kind<out T = unknown, in B = never> extends Typed<T> {
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly names: KindNames | undefined;
  readonly type: StructType<Fields, T>;
  /** `<Kind>List`. */
  readonly listType: StructType;
  readonly behaviour: KindBehaviour<B>;
}

/**
 * Defines a kind. `fields` starts with `metadata` for stored kinds; apiVersion and kind are added here. The `name` of
 * the struct is `<directory>/<version>.<Kind>`.
 */
export function kind<const F extends Fields>(
  structName: string,
  apiVersion: string,
  names: KindNames | undefined,
  fields: F,
  behaviour: KindBehaviour<ObjectOf<KindFields<F>>> = {},
): Kind<ObjectOf<KindFields<F>>, ObjectOf<KindFields<F>>> {
  const slash = apiVersion.indexOf('/');
  const kindName = structName.slice(structName.lastIndexOf('.') + 1);
  const type = struct(structName, { ...typeMeta, ...fields });
  return {
    group: slash < 0 ? '' : apiVersion.slice(0, slash),
    version: apiVersion.slice(slash + 1),
    apiVersion,
    kind: kindName,
    names,
    type: type as unknown as StructType<Fields, ObjectOf<KindFields<F>>>,
    listType: listOf(structName, type),
    behaviour,
  };
}

/** Not in protobuf, where they are part of the envelope. */
const typeMeta = {
  kind: optional(0, string),
  apiVersion: optional(0, string),
};

const listOf = (structName: string, item: StructType): StructType =>
  struct(`${structName}List`, {
    ...typeMeta,
    metadata: optional(1, ListMeta),
    items: always(2, list(item), { required: true, keepEmpty: true }),
  });

/** The static type of a kind's objects: `export interface Pod extends ObjectOfKind<typeof Pod> {}`. */
export type ObjectOfKind<K> = Static<K>;

export { ListMeta, ObjectMeta };
