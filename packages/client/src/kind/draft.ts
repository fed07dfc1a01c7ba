/** What clients send of an object. What they read of one is `Live`, of apimachinery. */

/** On types, for {@link Draft} alone: the members that a client must say. No object has it. */
export declare const required: unique symbol;
/** On types, for {@link Draft} alone: all of what a client sends. No object has it. */
export declare const drafted: unique symbol;

/**
 * An object as a client sends it when it makes one: what the schema requires is there, and all that the server fills in
 * may be left out. An object says what it is.
 *
 *     const web: Draft<Deployment> = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: … };
 *
 * Of a type that does not tell what is required, everything may be left out.
 */
export type Draft<T> = T extends readonly (infer E)[]
  ? readonly Draft<E>[]
  : T extends object
    ? typeof drafted extends keyof T
      ? Frozen<NonNullable<T[typeof drafted]>>
      : { readonly [K in Said<T>]-?: Draft<NonNullable<T[K]>> } & { readonly [K in Unsaid<T>]?: Draft<T[K]> }
    : T;

/** As {@link Draft}, for what knows which kind it is about. */
export type DraftBody<T> = Omit<Draft<T>, TypeMeta> & {
  readonly [K in keyof Draft<T> & TypeMeta]?: Draft<T>[K];
};

/** Any part of an object: what an apply owns of it. */
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
