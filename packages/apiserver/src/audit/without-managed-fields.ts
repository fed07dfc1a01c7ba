/** Removes `metadata.managedFields` from the JSON of an object, a list or a Table. */

export function withoutManagedFields(json: string): string {
  if (!json.includes('"managedFields"')) return json;
  // Numbers keep their original text, since a double cannot hold 64-bit integers.
  const value = parseJson(json, (_name, member, { source }) =>
    typeof member === 'number' && source !== undefined ? rawJson(source) : member,
  );
  for (const object of objectsIn(value)) delete object.metadata?.managedFields;
  return JSON.stringify(value);
}

type Revive = (name: string, member: unknown, context: { readonly source?: string }) => unknown;

/** ES2026's signature, which the compiler's library doesn't have yet. */
const parseJson = (JSON as unknown as { parse(text: string, revive: Revive): unknown }).parse;
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

interface Managed {
  readonly metadata?: { managedFields?: unknown } | null;
}

function* objectsIn(value: unknown): Generator<Managed> {
  if (typeof value !== 'object' || value === null) return;
  yield value as Managed;
  const { items, rows } = value as { readonly items?: unknown; readonly rows?: unknown };
  if (Array.isArray(items)) yield* items as Managed[];
  if (!Array.isArray(rows)) return;
  for (const { object } of rows as { readonly object?: Managed }[]) if (object) yield object;
}
