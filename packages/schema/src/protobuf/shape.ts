/** A struct as protobuf has it: fields by number, embedded structs as messages of their own. */

import { goNameOf, shortNameOf } from '../shape.ts';
import { resolved, type Field, type StructType, type Type } from '../type.ts';

export interface ProtobufField {
  readonly name: string;
  readonly number: number;
  readonly type: Type;
  /** Whether it is omitted if unset. Everything else is written, zero or not. */
  readonly isPointer: boolean;
  readonly isEmbedded: boolean;
  /** The name of the Go field; an embedded struct has that of its type. */
  readonly goName: string;
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

function fieldOf(name: string, field: Field): ProtobufField {
  const { pb, presence } = field;
  const type = resolved(field.type);
  const isEmbedded = presence === 'embedded';
  return {
    name,
    number: pb,
    type,
    isPointer: presence === 'pointer' || presence === 'nullable',
    isEmbedded,
    goName:
      type.form === 'struct' && (isEmbedded || name === 'metadata')
        ? shortNameOf(type)
        : goNameOf(name, field),
  };
}
