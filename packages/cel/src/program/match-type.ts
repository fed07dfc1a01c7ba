import type { CelType } from '../types/type.ts';
import { isInt } from '../values/int.ts';
import { typeOf } from '../values/type-of.ts';
import type { Value } from '../values/value.ts';

/** Whether a value matches a declared type; the content of lists and maps is not checked. */
export function matches(type: CelType): (value: Value) => boolean {
  switch (type.kind) {
    case 'dyn':
    case 'any':
    case 'typeParameter':
      return () => true;
    case 'string':
      return (value) => typeof value === 'string';
    case 'int':
      return isInt;
    case 'bool':
      return (value) => typeof value === 'boolean';
    case 'struct':
    case 'opaque':
      return (value) => typeOf(value).name === type.name;
    default:
      return (value) => typeOf(value).kind === type.kind;
  }
}
