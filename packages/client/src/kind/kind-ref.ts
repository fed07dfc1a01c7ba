/** Identifies a kind and, for the compiler, the type of its objects. */

import type { GroupVersionKind } from '@coxswain/apimachinery';
import type { Typed } from '@coxswain/schema';

/** Such values are the kinds of `@coxswain/api`, and the results of {@link customKind}. */
export interface KindRef<out T = unknown> extends Typed<T> {
  /** `apps/v1` */
  readonly apiVersion: string;
  readonly kind: string;
  /** Defaults to the plural given by {@link pluralOf}. */
  readonly names?: KindRefNames | undefined;
}

/** The name of a kind in paths, and its scope. */
export interface KindRefNames {
  readonly plural: string;
  readonly namespaced?: boolean;
}

/** A kind without a description, such as `Widget` of `example.com/v1`: the caller specifies the type. */
export interface NamedKind extends GroupVersionKind {
  /** If it differs from {@link pluralOf}. */
  readonly plural?: string;
}

/**
 * The plural of a kind by the usual rule: `Ingress` → `ingresses`, `Policy` → `policies`. Kinds with an irregular
 * plural specify it.
 * @example
 * pluralOf('Ingress'); // 'ingresses'
 */
export function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  // Already plural.
  if (singular === 'endpoints') return singular;
  if (/(?:s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  if (/[^aeiou]y$/.test(singular)) return `${singular.slice(0, -1)}ies`;
  return `${singular}s`;
}
