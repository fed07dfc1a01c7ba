/** Encodes messages that are described by tables. */
import { planOf, type Input, type MessageTable, type PlannedField, type TablePlan } from './message-table.ts';
import { MessageWriter } from './message-writer.ts';

const writer = new MessageWriter();

export function encode<M extends MessageTable>(table: M, message: Input<M>): Uint8Array {
  writer.reset();
  writeTable(writer, table, message);
  return writer.finish();
}

/** Writes before the existing contents of the writer. */
export function writeTable<M extends MessageTable>(into: MessageWriter, table: M, message: Input<M>): void {
  writeMessage(into, planOf(table), message as AnyMessage);
}

type AnyMessage = Readonly<Record<string, unknown>>;

/** Fields in descending order, since the writer works backwards. */
function writeMessage(into: MessageWriter, plan: TablePlan, message: AnyMessage): void {
  for (const planned of plan.fields) {
    const value = message[planned.name];
    if (value === undefined) continue;
    if (planned.isList) writeList(into, planned, value as readonly unknown[]);
    else if (planned.occurs === 'optional' || !isEmpty(planned, value)) writeField(into, planned, value);
  }
}

function writeList(into: MessageWriter, planned: PlannedField, values: readonly unknown[]): void {
  if (planned.occurs === 'packed') {
    if (values.length === 0) return;
    const before = into.length;
    for (let i = values.length - 1; i >= 0; i--) writeValue(into, planned, values[i]);
    into.varint(into.length - before);
    into.tag(planned.number, 2);
    return;
  }
  for (let i = values.length - 1; i >= 0; i--) writeField(into, planned, values[i]);
}

function writeField(into: MessageWriter, planned: PlannedField, value: unknown): void {
  writeValue(into, planned, value);
  into.tag(planned.number, planned.wireType);
}

function writeValue(into: MessageWriter, planned: PlannedField, value: unknown): void {
  switch (planned.scalar) {
    case undefined: {
      const before = into.length;
      writeMessage(into, planned.message(), value as AnyMessage);
      return into.varint(into.length - before);
    }
    case 'bytes':
      return into.bytes(value as Uint8Array);
    case 'string':
      return into.text(value as string);
    case 'bool':
      return into.varint(value === true ? 1 : 0);
    case 'fixed64':
      return into.fixed64(value as bigint);
    default:
      return into.int64(value as number | bigint);
  }
}

/** A message that is present is written even if it is empty, since presence is significant in a `oneof`. */
function isEmpty({ scalar }: PlannedField, value: unknown): boolean {
  switch (scalar) {
    case undefined:
      return false;
    case 'bytes':
      return (value as Uint8Array).length === 0;
    case 'string':
      return value === '';
    case 'bool':
      return value === false;
    case 'id':
    case 'uid':
    case 'fixed64':
      return value === 0n;
    default:
      return value === 0;
  }
}
