import { structType } from '../types/type.ts';
import { OpaqueValue, type Value } from '../values/value.ts';

const formatType = structType('kubernetes.NamedFormat');

/** A format by its name, with the check of texts. */
export class NamedFormat extends OpaqueValue {
  readonly type = formatType;
  readonly name: string;
  /** How long the pattern behind it may be; its cost is estimated from that. */
  readonly patternSizeMax: number;
  /** What is wrong with a text. */
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
