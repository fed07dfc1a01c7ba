/**
 * Members of a document that are encoded once and cached: a path, a definition, a parameter. A document of thousands of
 * them is assembled from these, so that the cost of a change depends only on what has changed.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class DocumentPart {
  readonly name: string;
  /** `,"name":{…}`: the comma is skipped for the first member of a document. */
  readonly json: Uint8Array;
  #protobuf: Uint8Array | undefined;

  constructor(name: string, value: unknown) {
    this.name = name;
    this.json = encoder.encode(`,${JSON.stringify(name)}:${JSON.stringify(value)}`);
  }

  value(): Readonly<Record<string, unknown>> {
    return JSON.parse(`{${decoder.decode(this.json.subarray(1))}}`)[this.name];
  }

  /** @param encode encodes the member as a field of the document's message; always the same function */
  protobuf(encode: (name: string, value: Readonly<Record<string, unknown>>) => Uint8Array): Uint8Array {
    return (this.#protobuf ??= encode(this.name, this.value()));
  }
}

/** The part of a document that a part of the API contributes. */
export interface DocumentFragment {
  readonly paths: readonly DocumentPart[];
  readonly definitions: readonly DocumentPart[];
  /** Only for OpenAPI v2. */
  readonly parameters: readonly DocumentPart[];
}

/** A document in its encoded form. */
export interface EncodedDocument {
  readonly json: readonly Uint8Array[];
  readonly protobuf: () => readonly Uint8Array[];
}

export const partsOf = (members: Readonly<Record<string, unknown>>): readonly DocumentPart[] =>
  Object.entries(members).map(([name, value]) => new DocumentPart(name, value));

/** Sorted by name; of equal names the last one is kept. */
export function mergedParts(
  fragments: readonly DocumentFragment[],
  member: keyof DocumentFragment,
): readonly DocumentPart[] {
  const byName = new Map<string, DocumentPart>();
  for (const fragment of fragments) for (const part of fragment[member]) byName.set(part.name, part);
  return [...byName.keys()].sort().map((name) => byName.get(name)!);
}

/** Text and members alternating: `{"paths":{`, the paths, `}}`. */
export const joinedJson = (...pieces: readonly (string | readonly DocumentPart[])[]): readonly Uint8Array[] =>
  pieces.flatMap((piece) =>
    typeof piece === 'string'
      ? encoder.encode(piece)
      : piece.map(({ json }, index) => (index === 0 ? json.subarray(1) : json)),
  );
