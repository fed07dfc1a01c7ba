/** A kind: a struct with type and object meta, its names, and what belongs to it alone. */

import { ListMeta, ObjectMeta } from './meta.ts';
import { always, list, optional, string, struct } from './type.ts';
import type { FieldError } from './field-error.ts';
import type { Field, Fields, ObjectOf, Static, StructType, Typed } from './type.ts';

export interface KindNames {
  readonly plural: string;
  /** The kind in lower case when absent. */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
}

/** What a printer column shows; `priority` 1 and up are for wide output. */
export interface Column<T> {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly priority?: number;
  readonly description?: string;
  /** The cell; `nowMs` is for ages. */
  readonly cell: (object: T, nowMs: number) => string | number | boolean | null;
}

/** What is special about a kind, in the order in which a write uses it. */
export interface KindBehaviour<T> {
  /** Defaults beyond those that a field states: they depend on other values. They modify the object. */
  readonly defaults?: readonly ((object: T) => void)[];
  /** All that is wrong with an object, in the original's order. `old` is there for an update. */
  readonly validate?: (object: T, old: T | undefined) => readonly FieldError[];
  /** As `validate`, for a write to `/status`. */
  readonly validateStatus?: (object: T, old: T) => readonly FieldError[];
  readonly columns?: readonly Column<T>[];
  /** Field selectors beyond metadata.name and metadata.namespace. */
  readonly selectableFields?: Readonly<Record<string, (object: T) => string>>;
}

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
 * Describes a kind. `fields` begins with `metadata` for kinds that are stored; apiVersion and kind are
 * added here. `name` of the struct is `<folder>/<version>.<Kind>`.
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

/** Not in protobuf: there the envelope has them. */
const typeMeta = {
  kind: optional(0, string),
  apiVersion: optional(0, string),
};

const listOf = (structName: string, item: StructType): StructType =>
  struct(`${structName}List`, {
    ...typeMeta,
    metadata: optional(1, ListMeta),
    items: always(2, list(item), { required: true }),
  });

/** The static type of a kind's objects: `export interface Pod extends ObjectOfKind<typeof Pod> {}`. */
export type ObjectOfKind<K> = Static<K>;

export { ListMeta, ObjectMeta };
