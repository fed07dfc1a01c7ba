/** Decodes messages that are described by tables. */
import { MessageReader, ProtobufError } from './message-reader.ts';
import {
  planOf,
  wireTypes,
  type Decoded,
  type MessageTable,
  type PlannedField,
  type TablePlan,
} from './message-table.ts';

/** Byte fields are views of `bytes`. @throws ProtobufError */
export function decode<M extends MessageTable>(table: M, bytes: Uint8Array): Decoded<M> {
  return readMessage(new MessageReader(bytes), planOf(table), 0) as Decoded<M>;
}

/** The maximum nesting depth; transactions nest. */
const depthMax = 64;

function readMessage(reader: MessageReader, plan: TablePlan, depth: number): Record<string, unknown> {
  if (depth > depthMax) throw new ProtobufError(`messages are nested more than ${depthMax} deep`);
  const message = plan.empty();
  while (!reader.isAtEnd) {
    const tag = reader.tag();
    const planned = plan.byNumber.get(Math.floor(tag / 8));
    if (planned === undefined) reader.skip(tag);
    else if (planned.isList) readItems(reader, planned, tag % 8, message[planned.name] as unknown[], depth);
    else message[planned.name] = readValue(reader, planned, tag % 8, depth);
  }
  return message;
}

/** Repeated numbers are accepted individually or packed, whatever the table says. */
function readItems(
  reader: MessageReader,
  planned: PlannedField,
  wireType: number,
  values: unknown[],
  depth: number,
): void {
  if (wireType !== wireTypes.delimited || planned.wireType === wireTypes.delimited) {
    values.push(readValue(reader, planned, wireType, depth));
    return;
  }
  const block = reader.message();
  while (!block.isAtEnd) values.push(readValue(block, planned, planned.wireType, depth));
}

function readValue(reader: MessageReader, planned: PlannedField, wireType: number, depth: number): unknown {
  if (wireType !== planned.wireType)
    throw new ProtobufError(`proto: wrong wireType = ${wireType} for field ${planned.name}`);
  switch (planned.scalar) {
    case undefined:
      return readMessage(reader.message(), planned.message(), depth + 1);
    case 'bytes':
      return reader.bytes();
    case 'string':
      return reader.text();
    case 'bool':
      return reader.varint() !== 0;
    case 'id':
      return BigInt.asIntN(64, reader.uint64());
    case 'uid':
      return reader.uint64();
    case 'fixed64':
      return reader.fixed64();
    default:
      return Number(reader.int64());
  }
}
