/** The sizes of values by their path from a variable: `['self', 'hosts', '@items']`. */

import type { DeclaredType } from '../types/declared-type.ts';
import type { SizeEstimate } from './cost-range.ts';

export interface SizeHints {
  /** @param path field names, and `@items`, `@keys`, `@values`, after the variable's name */
  readonly sizeAt: (path: readonly string[]) => SizeEstimate | undefined;
}

export const noSizeHints: SizeHints = { sizeAt: () => undefined };

/** The sizes that a type declares, whichever variable the path starts from. */
export const sizeHintsOf = (root: DeclaredType): SizeHints => ({
  sizeAt: (path) => {
    if (path.length === 0) return undefined;
    let type: DeclaredType | undefined = root;
    for (const name of path.slice(1)) {
      type = step(type, name);
      if (!type) return undefined;
    }
    return { min: 0, max: type.elementsMax };
  },
});

function step(type: DeclaredType, name: string): DeclaredType | undefined {
  if (name === '@items' || name === '@values') return type.element;
  if (name === '@keys') return type.key;
  return type.fields?.get(name)?.type;
}
