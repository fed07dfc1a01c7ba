/** The types of objects that clients send. The type of those that they read is `Live`, in apimachinery. */

/** A type-level marker for {@link Draft}: the fields that a client must set. No object has it. */
export declare const required: unique symbol;
/** A type-level marker for {@link Draft}: the type of what a client sends. No object has it. */
export declare const drafted: unique symbol;

/**
 * An object as a client creates it: fields required by the schema are mandatory, and everything that the server fills
 * in is optional. It includes apiVersion and kind.
 *
 *     const web: Draft<Deployment> = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: … };
 *
 * For a type that does not specify what is required, everything is optional.
 */
export type Draft<T> = T extends readonly (infer E)[]
  ? readonly Draft<E>[]
  : T extends object
    ? typeof drafted extends keyof T
      ? Frozen<NonNullable<T[typeof drafted]>>
      : { readonly [K in Said<T>]-?: Draft<NonNullable<T[K]>> } & { readonly [K in Unsaid<T>]?: Draft<T[K]> }
    : T;

/** Like {@link Draft}, for an object whose kind is already known. */
export type DraftBody<T> = Omit<Draft<T>, TypeMeta> & {
  readonly [K in keyof Draft<T> & TypeMeta]?: Draft<T>[K];
};

/** Any part of an object, such as the fields that an apply owns. */
export type Part<T> = T extends readonly (infer E)[]
  ? readonly Part<E>[]
  : T extends object
    ? { readonly [K in Exclude<keyof T, symbol>]?: Part<T[K]> }
    : T;

type Frozen<T> = T extends readonly (infer E)[]
  ? readonly Frozen<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

type TypeMeta = 'apiVersion' | 'kind';

type Said<T> = typeof required extends keyof T ? NonNullable<T[typeof required]> & keyof T : never;
type Unsaid<T> = Exclude<keyof T, symbol | Said<T>>;
