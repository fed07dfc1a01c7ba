/** A value as it was at a moment, kept as its JSON: quicker to make than a copy, and read by few. */
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
    // Integers beyond 2^53, as texts.
    return JSON.stringify(value, (_key, member: unknown) =>
      typeof member === 'bigint' ? String(member) : member,
    );
  }
}
