/** The JSON of an object, a list or a Table without `metadata.managedFields`. */

export function withoutManagedFields(json: string): string {
  if (!json.includes('"managedFields"')) return json;
  // A number is written again as it was: 64 bits don't fit into a double.
  const value = parseJson(json, (_name, member, { source }) =>
    typeof member === 'number' && source !== undefined ? rawJson(source) : member,
  );
  for (const object of objectsIn(value)) delete object.metadata?.managedFields;
  return JSON.stringify(value);
}

type Revive = (name: string, member: unknown, context: { readonly source?: string }) => unknown;

/** As of ES2026, which the compiler's library doesn't know yet. */
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
