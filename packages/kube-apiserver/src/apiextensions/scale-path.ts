/** Resolves the paths of a definition's scale: member names, each after a dot. */
import { printedValue, typeNameOf } from '@coxswain/apimachinery/jsonpath/value.ts';

export const membersOf = (path: string): readonly string[] => path.replace(/^\./, '').split('.');

export interface Member {
  readonly value?: unknown;
  /** The problem of a value on the path that has no members. */
  readonly stranger?: string;
}

/** A null value has no members, without being an error. */
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
