/** The type of the values that a structural schema describes, derived by the compiler without code generation. */

/** As clients read objects, with what the server fills in, or as they send them. */
type Side = 'read' | 'sent';

/** `S` is a schema as in `spec.versions[].schema.openAPIV3Schema` of a definition, with literal types */
export type SchemaType<S, W extends Side = 'read'> = S extends { readonly nullable: true }
  ? Present<S, W> | null
  : Present<S, W>;

type Present<S, W extends Side> = S extends { readonly 'x-kubernetes-int-or-string': true }
  ? number | string
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly type: infer T }
      ? T extends keyof Scalars
        ? Scalars[T]
        : T extends 'array'
          ? Items<S, W>[]
          : T extends 'object'
            ? ObjectType<S, W>
            : OfShape<S, W>
      : unknown;

interface Scalars {
  string: string;
  boolean: boolean;
  integer: number;
  number: number;
}

/** For a schema without literal types: the compiler sees the contents of a JSON file as plain strings. */
type OfShape<S, W extends Side> = S extends { readonly items: unknown }
  ? Items<S, W>[]
  : S extends { readonly properties: unknown } | { readonly additionalProperties: unknown }
    ? ObjectType<S, W>
    : unknown;

type Items<S, W extends Side> = S extends { readonly items: infer I } ? SchemaType<I, W> : unknown;

type ObjectType<S, W extends Side> = S extends { readonly additionalProperties: infer V }
  ? Record<string, V extends boolean ? unknown : SchemaType<V, W>>
  : S extends { readonly properties: infer P }
    ? Flat<Always<S, P, W> & Sometimes<S, P, W>> & Unknown<S>
    : Record<string, unknown>;

type Unknown<S> = S extends { readonly 'x-kubernetes-preserve-unknown-fields': true }
  ? Record<string, unknown>
  : unknown;

/** The required fields; for reading, also those that the server fills in, which need not be sent. */
type AlwaysNames<S, P, W extends Side> = {
  [K in keyof P]: P[K] extends { readonly default: unknown }
    ? W extends 'read'
      ? K
      : never
    : K extends RequiredNames<S>
      ? K
      : never;
}[keyof P];

/** For a JSON file, no name is known. */
type RequiredNames<S> = S extends { readonly required: readonly (infer R)[] }
  ? string extends R
    ? never
    : R
  : never;

type Always<S, P, W extends Side> = { [K in AlwaysNames<S, P, W>]: SchemaType<P[K], W> };
type Sometimes<S, P, W extends Side> = {
  [K in Exclude<keyof P, AlwaysNames<S, P, W>>]?: SchemaType<P[K], W>;
};

/** A single object type, for a readable display in editors. */
type Flat<T> = { [K in keyof T]: T[K] };
