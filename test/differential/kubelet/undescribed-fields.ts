/** What a message says in fields that a table doesn't know. */
import type { Field, MessageTable } from '@coxswain/storage/etcd/wire.ts';

/** Paths such as `config.linux.#11`. */
export function undescribedFields(table: MessageTable, bytes: Uint8Array, path = ''): readonly string[] {
  const byNumber = new Map(
    Object.entries(table).map(([name, entry]) => {
      const known: Field = typeof entry === 'function' ? entry() : entry;
      return [known.number, { name, kind: known.kind }] as const;
    }),
  );
  const found: string[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const known = byNumber.get(Math.floor(tag / 8));
    if (known === undefined) found.push(`${path}#${Math.floor(tag / 8)}`);
    const wireType = tag % 8;
    if (wireType === 0) varint();
    else if (wireType === 1) at += 8;
    else if (wireType === 5) at += 4;
    else {
      const length = varint();
      const inside = bytes.subarray(at, at + length);
      at += length;
      if (known !== undefined && typeof known.kind === 'object')
        found.push(...undescribedFields(known.kind, inside, `${path}${known.name}.`));
    }
  }
  return found;
}
