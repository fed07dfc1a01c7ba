/** Which kind is meant, and for the compiler, what its objects look like. */

import type { GroupVersionKind } from '@coxswain/apimachinery';
import type { Typed } from '@coxswain/schema';

/** The kinds of `@coxswain/api`, and what {@link customKind} makes, are such values. */
export interface KindRef<out T = unknown> extends Typed<T> {
  /** `apps/v1` */
  readonly apiVersion: string;
  readonly kind: string;
  /** Defaults to the plural given by {@link pluralOf}. */
  readonly names?: KindRefNames | undefined;
}

/** How a kind is called in paths, and whether its objects have a namespace. */
export interface KindRefNames {
  readonly plural: string;
  readonly namespaced?: boolean;
}

/** `Widget` of `example.com/v1`, where nothing describes it: the type is what the caller says. */
export interface NamedKind extends GroupVersionKind {
  /** Where it is not what {@link pluralOf} says. */
  readonly plural?: string;
}

/**
 * The plural of a kind by the rule that nearly all follow: `Ingress` → `ingresses`, `Policy` → `policies`. Kinds whose
 * names end otherwise tell their plural.
 * @example
 * pluralOf('Ingress'); // 'ingresses'
 */
export function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  // A plural already.
  if (singular === 'endpoints') return singular;
  if (/(?:s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  if (/[^aeiou]y$/.test(singular)) return `${singular.slice(0, -1)}ies`;
  return `${singular}s`;
}
