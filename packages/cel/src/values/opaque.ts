import type { CelType } from '../types/type.ts';
import type { Value } from './value.ts';

/** A value of a library's own type: a quantity, an address, an authorizer. */
export abstract class OpaqueValue {
  abstract readonly type: CelType;
  abstract equals(other: Value): boolean;

  /** Whether asking for equality makes sense; to ask `==` all the same is an error. */
  isComparableTo(other: Value): boolean {
    return other instanceof OpaqueValue && other.type.name === this.type.name;
  }

  /** Its size where the cost of comparing it depends on one; 1 otherwise. */
  get costSize(): number {
    return 1;
  }
}
