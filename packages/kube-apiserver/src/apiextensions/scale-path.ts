/** The paths that a definition names for its scale: members only, with dots before them. */
import { printedValue, typeNameOf } from '@coxswain/apimachinery/jsonpath/value.ts';

export const membersOf = (path: string): readonly string[] => path.replace(/^\./, '').split('.');

export interface Member {
  readonly value?: unknown;
  /** What to say of something on the way that has no members. */
  readonly stranger?: string;
}

/** What is null has no members, and nobody minds. */
export function memberAt(object: object, path: string): Member {
  let value: unknown = object;
  let passed = '';
  for (const name of membersOf(path)) {
    passed += `.${name}`;
    if (value === null || value === undefined) return {};
    if (typeof value !== 'object' || Array.isArray(value)) {
      return { stranger: accessorMessage(passed, value, 'map[string]interface{}') };
    }
    if (!Object.hasOwn(value, name)) return {};
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return { value };
}

export const accessorMessage = (path: string, value: unknown, wanted: string): string =>
  `${path} accessor error: ${printedValue(value)} is of the type ${typeNameOf(value)}, expected ${wanted}`;
