/** A kind from a CustomResourceDefinition, with the type of its objects. */

import type { ObjectMeta } from '@coxswain/apimachinery';
import type { drafted, Part } from './draft.ts';
import type { KindRef, KindRefNames } from './kind-ref.ts';
import type { SchemaType } from './schema-type.ts';

/** The fields of a definition that are used. */
export interface DefinitionShape {
  readonly spec: {
    readonly group: string;
    /** `Namespaced` or `Cluster`. */
    readonly scope: string;
    readonly names: { readonly plural: string; readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly storage: boolean;
      readonly schema?: { readonly openAPIV3Schema?: unknown };
    }[];
  };
}

/** A kind returned by {@link customKind}. */
export interface CustomKind<out T, out D extends DefinitionShape = DefinitionShape> extends KindRef<T> {
  readonly names: KindRefNames;
  /** The definition, for applying it. */
  readonly definition: D;
}

/** The objects of a kind: `type Widget = ObjectOf<typeof Widget>`. */
export type ObjectOf<K> = K extends KindRef<infer T> ? T : never;

/**
 * The kind defined by a CustomResourceDefinition in one of its versions, by default the storage version. For a
 * definition written inline or `as const`, the compiler infers exact types; for one imported from a JSON file it knows
 * the names of fields, but neither the types of scalars nor which fields are required.
 * @throws Error if there is no such version
 * @example
 * const Shop = customKind({
 *   apiVersion: 'apiextensions.k8s.io/v1',
 *   kind: 'CustomResourceDefinition',
 *   metadata: { name: 'shops.example.com' },
 *   spec: {
 *     group: 'example.com',
 *     scope: 'Namespaced',
 *     names: { plural: 'shops', kind: 'Shop' },
 *     versions: [
 *       {
 *         name: 'v1',
 *         served: true,
 *         storage: true,
 *         schema: {
 *           openAPIV3Schema: {
 *             type: 'object',
 *             properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
 *           },
 *         },
 *       },
 *     ],
 *   },
 * });
 * await client.apply(Shop.definition, { fieldManager: 'shop-operator' });
 * const shop = await client.of(Shop).namespace('default').get('main');
 * const size: number | undefined = shop.spec?.size;
 */
export function customKind<
  const D extends DefinitionShape,
  V extends D['spec']['versions'][number]['name'] = StoredVersion<D>,
>(definition: D, version?: V): CustomKind<CustomObject<D, V>, D> {
  const { group, names, scope, versions } = definition.spec;
  const found = versions.find(({ name, storage }) => (version === undefined ? storage : name === version));
  if (found === undefined)
    throw new Error(
      `${names.plural}.${group} has no ${version === undefined ? 'storage version' : `version ${version}`}`,
    );
  return {
    apiVersion: `${group}/${found.name}`,
    kind: names.kind,
    names: { plural: names.plural, namespaced: scope === 'Namespaced' },
    definition,
  };
}

type StoredVersion<D extends DefinitionShape> = [Stored<D>] extends [never]
  ? D['spec']['versions'][number]['name']
  : Stored<D>['name'];
type Stored<D extends DefinitionShape> = Extract<D['spec']['versions'][number], { readonly storage: true }>;

type SchemaOf<D extends DefinitionShape, V> =
  Extract<D['spec']['versions'][number], { readonly name: V }> extends {
    readonly schema: { readonly openAPIV3Schema: infer S };
  }
    ? S
    : unknown;

/** apiVersion, kind and metadata are defined by the server, regardless of the schema. */
type CustomObject<D extends DefinitionShape, V> = {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  readonly [drafted]?: Sent<SchemaType<SchemaOf<D, V>, 'sent'>>;
} & Omit<SchemaType<SchemaOf<D, V>>, RootNames>;

type RootNames = 'apiVersion' | 'kind' | 'metadata';
/** On create, the server ignores the status. */
type Sent<T> = { apiVersion: string; kind: string; metadata: Part<ObjectMeta> } & Omit<
  T,
  RootNames | 'status'
> & {
    status?: T extends { status?: infer S } ? Part<S> : never;
  };
