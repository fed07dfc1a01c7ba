/** Protobuf messages put together field by field, for formats that only leave this server. */

const wire = { varint: 0, fixed64: 1, bytes: 2 } as const;

export const message = (parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);

export const numberField = (at: number, value: number): Uint8Array =>
  Uint8Array.from([...varint(at * 8 + wire.varint), ...varint(value)]);

export const bytesField = (at: number, value: Uint8Array): Uint8Array =>
  Buffer.concat([Uint8Array.from([...varint(at * 8 + wire.bytes), ...varint(value.length)]), value]);

export const textField = (at: number, value: string): Uint8Array => bytesField(at, Buffer.from(value));

export const packedField = (at: number, values: readonly number[]): Uint8Array =>
  bytesField(at, Uint8Array.from(values.flatMap((value) => varint(value))));

export function fixed64Field(at: number, value: bigint): Uint8Array {
  const field = Buffer.alloc(9);
  field[0] = at * 8 + wire.fixed64;
  field.writeBigUInt64LE(value, 1);
  return field;
}

function varint(value: number): number[] {
  const digits: number[] = [];
  let rest = Math.max(0, Math.round(value));
  while (rest > 127) {
    digits.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  digits.push(rest);
  return digits;
}
