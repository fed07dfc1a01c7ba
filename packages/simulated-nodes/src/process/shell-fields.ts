/** The words that one word of a command expands to. */
import { ExpansionFailure } from './arithmetic.ts';
import { matchingPaths } from './shell-patterns.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** A word, and the pattern of the files that it names. */
interface Field {
  text: string;
  pattern: string;
}

/** The maximum length of what one word expands to: a variable that doubles itself does not get longer. */
const charactersMax = 1024 * 1024;

export class Fields {
  #characters = 0;
  readonly #complete: Field[] = [];
  #current: Field | undefined;
  /** It contains a list without elements, and disappears unless there is text beside it. */
  #isEmptyList = false;

  /** @throws ExpansionFailure for more than a word may have */
  add(text: string, isQuoted: boolean): void {
    this.#characters += text.length;
    if (this.#characters > charactersMax) throw new ExpansionFailure('out of memory');
    this.#current ??= { text: '', pattern: '' };
    this.#current.text += text;
    this.#current.pattern += isQuoted ? text.replaceAll(/[*?[\]\\]/g, '\\$&') : text;
  }

  /** The value of an expansion without quotes. */
  split(text: string): void {
    const [first = '', ...rest] = text.split(/[ \t\n]+/);
    if (first !== '') this.add(first, false);
    for (const next of rest) {
      this.#finish();
      if (next !== '') this.add(next, false);
    }
  }

  /** Each element is a word, the first and the last together with what is beside them. */
  list(elements: readonly string[]): void {
    this.#isEmptyList ||= elements.length === 0;
    for (const [at, element] of elements.entries()) {
      if (at > 0) this.#finish();
      this.add(element, true);
    }
  }

  /** @param world where patterns name files; unset where they don't */
  words(world: Pick<SimulatedProcess, 'files' | 'place'> | undefined): readonly string[] {
    if (!this.#isEmptyList || this.#current?.text !== '') this.#finish();
    return this.#complete.flatMap(({ text, pattern }) => {
      const isPattern = world !== undefined && /[*?[]/.test(text);
      const found = isPattern ? matchingPaths(world.files, world.place.directory, pattern) : [];
      return found.length > 0 ? found : [text];
    });
  }

  #finish(): void {
    if (this.#current !== undefined) this.#complete.push(this.#current);
    this.#current = undefined;
  }
}
