/** The type of the values that a structural schema describes: the compiler reads the schema, nothing is generated. */

/** As in `spec.versions[].schema.openAPIV3Schema` of a definition, known to the compiler word by word. */
export type SchemaType<S> = S extends { readonly nullable: true } ? Present<S> | null : Present<S>;

type Present<S> = S extends { readonly 'x-kubernetes-int-or-string': true }
  ? number | string
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly type: infer T }
      ? T extends keyof Scalars
        ? Scalars[T]
        : T extends 'array'
          ? Items<S>[]
          : ObjectType<S>
      : unknown;

interface Scalars {
  string: string;
  boolean: boolean;
  integer: number;
  number: number;
}

type Items<S> = S extends { readonly items: infer I } ? SchemaType<I> : unknown;

type ObjectType<S> = S extends { readonly additionalProperties: infer V }
  ? Record<string, V extends boolean ? unknown : SchemaType<V>>
  : S extends { readonly properties: infer P }
    ? Flat<Always<S, P> & Sometimes<S, P>> & Unknown<S>
    : Record<string, unknown>;

type Unknown<S> = S extends { readonly 'x-kubernetes-preserve-unknown-fields': true }
  ? Record<string, unknown>
  : unknown;

/** What is required, and what the server fills in where nothing is said. */
type AlwaysNames<S, P> = {
  [K in keyof P]: P[K] extends { readonly default: unknown } ? K : K extends RequiredNames<S> ? K : never;
}[keyof P];

type RequiredNames<S> = S extends { readonly required: readonly (infer R)[] } ? R : never;

type Always<S, P> = { [K in AlwaysNames<S, P>]: SchemaType<P[K]> };
type Sometimes<S, P> = { [K in Exclude<keyof P, AlwaysNames<S, P>>]?: SchemaType<P[K]> };

/** One object type, as an editor shows it. */
type Flat<T> = { [K in keyof T]: T[K] };
