import type { KubeObject } from './meta.ts';

/**
 * An object, or a part of one, as a server of any version may send it to a client that only reads it. A whole object
 * has its metadata, but its other members and those of its spec and status may be absent; the items of a list don't
 * state their kind. Deeper inside, scalars that the schema always writes are present; lists, maps and structs may be
 * absent. A string may have a value that is unknown here.
 *
 *     type Pod = Live<core.Pod>;
 *     const phaseOf = ({ status }: Pod): string => status?.phase ?? 'Unknown';
 */
export type Live<T> = T extends readonly (infer E)[]
  ? readonly Live<E>[]
  : T extends string
    ? string
    : T extends object
      ? T extends Whole
        ? KubeObject & { readonly [K in Exclude<keyof T, symbol | keyof KubeObject>]?: Unsure<Live<T[K]>> }
        : LiveMembers<T>
      : T;

type Whole = { apiVersion: string; kind: string; metadata: object };

/** Lists and maps are unchanged, since their elements are either all there or all absent. */
type Unsure<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? string extends keyof T
      ? T
      : { readonly [K in keyof T]?: T[K] }
    : T;

type LiveMembers<T> = string extends keyof T
  ? { readonly [K in keyof T]: Live<T[K]> }
  : { readonly [K in WrittenScalars<T>]: Live<T[K]> } & {
      readonly [K in Exclude<keyof T, symbol | WrittenScalars<T>>]?: Live<T[K]>;
    };

type WrittenScalars<T> = {
  [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? never : T[K] extends Scalar ? K : never;
}[keyof T] &
  string;

type Scalar = string | number | boolean;
