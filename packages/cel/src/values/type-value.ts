import type { CelType } from '../types/type.ts';

/** A type as a value: `type(1)`, `int`. */
export class TypeValue {
  readonly type: CelType;

  constructor(type: CelType) {
    this.type = type;
  }
}
