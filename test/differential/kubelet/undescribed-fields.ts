/** What a message says in fields that a table doesn't know. */
import { MessageReader, type Field, type MessageTable } from '@coxswain/protobuf';

/** Paths such as `config.linux.#11`. */
export function undescribedFields(table: MessageTable, bytes: Uint8Array, path = ''): readonly string[] {
  const byNumber = new Map(
    Object.entries(table).map(([name, entry]) => {
      const known: Field = typeof entry === 'function' ? entry() : entry;
      return [known.number, { name, kind: known.kind }] as const;
    }),
  );
  const found: string[] = [];
  for (const reader = new MessageReader(bytes); !reader.isAtEnd;) {
    const tag = reader.tag();
    const known = byNumber.get(Math.floor(tag / 8));
    if (known === undefined) found.push(`${path}#${Math.floor(tag / 8)}`);
    if (known !== undefined && typeof known.kind === 'object')
      found.push(...undescribedFields(known.kind, reader.bytes(), `${path}${known.name}.`));
    else reader.skip(tag);
  }
  return found;
}
