/** Directives: the members of a patch that are instructions rather than content. */

import { badElementOrder, badPrimitiveList } from './error.ts';
import { isMap } from './values.ts';

export const directiveMarker = '$patch';
export const retainKeysDirective = '$retainKeys';
export const deleteFromPrimitiveList = '$deleteFromPrimitiveList';
export const setElementOrder = '$setElementOrder';

/** Returns `containers` for `$setElementOrder/containers`. @throws StrategicMergeError */
export function listNameOf(directive: string, prefix: string): string {
  const slash = directive.indexOf('/');
  if (slash >= 0 && directive.slice(0, slash) === prefix) return directive.slice(slash + 1);
  throw prefix === setElementOrder ? badElementOrder() : badPrimitiveList();
}

/** Stands for a value that was only a directive. */
export const nothing = Symbol('nothing');

/** The value without directives. With `dropNulls`, null members are removed as well. */
export function withoutDirectives(value: unknown, dropNulls: boolean): unknown {
  if (Array.isArray(value)) {
    return value
      .map((item: unknown) => withoutDirectives(item, dropNulls))
      .filter((item) => item !== nothing);
  }
  if (!isMap(value)) return value;
  const directive = value[directiveMarker];
  if (Object.hasOwn(value, directiveMarker) && !(dropNulls && directive === null)) return nothing;
  const clean: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    if (dropNulls && value[name] === null) continue;
    const member = withoutDirectives(value[name], dropNulls);
    if (member !== nothing) clean[name] = member;
  }
  return clean;
}
