/** A snapshot of a value as JSON, which is faster to make than a copy and rarely read. */
export class JsonText {
  readonly text: string;

  constructor(value: unknown) {
    this.text = value instanceof JsonText ? value.text : textOf(value);
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    // Integers beyond 2^53 as strings.
    return JSON.stringify(value, (_key, member: unknown) =>
      typeof member === 'bigint' ? String(member) : member,
    );
  }
}
