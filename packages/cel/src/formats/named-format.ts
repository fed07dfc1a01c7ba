import { structType } from '../types/type.ts';
import { OpaqueValue, type Value } from '../values/value.ts';

const formatType = structType('kubernetes.NamedFormat');

/** A named format, with its validation of texts. */
export class NamedFormat extends OpaqueValue {
  readonly type = formatType;
  readonly name: string;
  /** The maximum length of its pattern, from which its cost is estimated. */
  readonly patternSizeMax: number;
  /** Returns the problems of a text. */
  readonly validate: (text: string) => readonly string[];

  constructor(name: string, patternSizeMax: number, validate: (text: string) => readonly string[]) {
    super();
    this.name = name;
    this.patternSizeMax = patternSizeMax;
    this.validate = validate;
  }

  equals(other: Value): boolean {
    return other instanceof NamedFormat && other.name === this.name;
  }
}
