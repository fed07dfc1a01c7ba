/** Edits a line at a prompt: maps keys to the line and to terminal output. It needs no terminal. */

export interface EditedLine {
  readonly text: string;
  /** The cursor position. */
  readonly at: number;
}

export const emptyLine: EditedLine = { text: '', at: 0 };

const wordStart = (text: string, at: number): number => text.slice(0, at).search(/\S+\s*$/);

const edits: Readonly<Record<string, (line: EditedLine) => EditedLine>> = {
  '\x7f': ({ text, at }) =>
    at === 0 ? { text, at } : { text: text.slice(0, at - 1) + text.slice(at), at: at - 1 },
  '\x1b[3~': ({ text, at }) => ({ text: text.slice(0, at) + text.slice(at + 1), at }),
  '\x1b[D': ({ text, at }) => ({ text, at: Math.max(0, at - 1) }),
  '\x1b[C': ({ text, at }) => ({ text, at: Math.min(text.length, at + 1) }),
  '\x1b[H': ({ text }) => ({ text, at: 0 }),
  '\x01': ({ text }) => ({ text, at: 0 }),
  '\x1b[F': ({ text }) => ({ text, at: text.length }),
  '\x05': ({ text }) => ({ text, at: text.length }),
  '\x15': ({ text, at }) => ({ text: text.slice(at), at: 0 }),
  '\x0b': ({ text, at }) => ({ text: text.slice(0, at), at }),
  '\x17': ({ text, at }) => {
    const from = Math.max(0, wordStart(text, at));
    return { text: text.slice(0, from) + text.slice(at), at: from };
  },
};

/** @param key a character, pasted text, or the sequence of a key */
export function edited(line: EditedLine, key: string): EditedLine {
  const edit = edits[key];
  if (edit !== undefined) return edit(line);
  if (key.startsWith('\x1b') || /^\p{Cc}$/u.test(key)) return line;
  const signs = key.replaceAll(/\p{Cc}/gu, ' ');
  return { text: line.text.slice(0, line.at) + signs + line.text.slice(line.at), at: line.at + signs.length };
}

/** The history; its newest entry is the current input. */
export class History {
  readonly #lines: string[] = [];
  #at = 0;
  #typed = '';

  add(line: string): void {
    if (line.trim() !== '' && line !== this.#lines.at(-1)) this.#lines.push(line);
    this.#at = this.#lines.length;
  }

  /** @param typed the current input */
  older(typed: string): string {
    if (this.#at === this.#lines.length) this.#typed = typed;
    this.#at = Math.max(0, this.#at - 1);
    return this.#lines[this.#at] ?? typed;
  }

  newer(): string {
    this.#at = Math.min(this.#lines.length, this.#at + 1);
    return this.#lines[this.#at] ?? this.#typed;
  }
}

/** The longest common prefix. */
export function commonStart(words: readonly string[]): string {
  const [first = '', ...others] = words;
  let length = first.length;
  for (const word of others) while (!word.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}
