/** A struct as protobuf has it: fields by number, embedded structs as messages of their own. */

import { resolved, type Field, type StructType, type Type } from '../type.ts';

export interface ProtobufField {
  readonly name: string;
  readonly number: number;
  readonly type: Type;
  /** Whether it is omitted if unset. Everything else is written, zero or not. */
  readonly isPointer: boolean;
  readonly isEmbedded: boolean;
}

/** In ascending order of numbers; without fields that protobuf doesn't have. */
export function protobufFieldsOf(struct: StructType): readonly ProtobufField[] {
  let fields = known.get(struct);
  if (fields === undefined) {
    fields = Object.entries(struct.fields)
      .filter(([, { pb }]) => pb > 0)
      .map(([name, field]) => fieldOf(name, field))
      .sort((a, b) => a.number - b.number);
    known.set(struct, fields);
  }
  return fields;
}

const known = new WeakMap<StructType, readonly ProtobufField[]>();

const fieldOf = (name: string, { pb, type, presence }: Field): ProtobufField => ({
  name,
  number: pb,
  type: resolved(type),
  isPointer: presence === 'pointer' || presence === 'nullable',
  isEmbedded: presence === 'embedded',
});
