import { staticFields } from './hpack-static-fields.ts';

/**
 * Fields as HPACK has them, without anything that a later block would depend on: known fields by number, all
 * others spelled out. Values are ASCII.
 */
export function headerBlock(fields: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat(Object.entries(fields).map(([name, value]) => encodeField(name, value)));
}

function encodeField(name: string, value: string): Buffer {
  const whole = staticFields.findIndex(
    ([knownName, knownValue]) => knownName === name && knownValue === value,
  );
  if (whole >= 0) return Buffer.of(0x80 | (whole + 1));
  const named = staticFields.findIndex(([knownName]) => knownName === name) + 1;
  const head =
    named === 0 ? Buffer.concat([Buffer.of(0), encodeString(name)]) : Buffer.from(integer(named, 4));
  return Buffer.concat([head, encodeString(value)]);
}

const encodeString = (text: string): Buffer =>
  Buffer.concat([Buffer.from(integer(text.length, 7)), Buffer.from(text, 'latin1')]);

function integer(value: number, bits: number): number[] {
  const mask = 2 ** bits - 1;
  if (value < mask) return [value];
  const bytes = [mask];
  let rest = value - mask;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return [...bytes, rest];
}
