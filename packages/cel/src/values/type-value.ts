import type { CelType } from '../types/type.ts';

/** A type as a value: what `type(1)` and `int` are. */
export class TypeValue {
  readonly type: CelType;

  constructor(type: CelType) {
    this.type = type;
  }
}
