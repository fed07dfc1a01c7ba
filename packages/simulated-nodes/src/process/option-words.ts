/** Parses the options of a command line as `getopt_long` does. */

export interface OptionWords {
  /** All values in order, by name with dashes; `''` for an option without a value. */
  readonly options: ReadonlyMap<string, readonly string[]>;
  readonly operands: readonly string[];
}

/**
 * @param valued the options that take a value: `-O`, `--header`
 * @param isPrefix whether options end at the first operand
 */
export function readOptionWords(
  words: readonly string[],
  valued: ReadonlySet<string>,
  isPrefix = false,
): OptionWords {
  const options = new Map<string, string[]>();
  const operands: string[] = [];
  const add = (name: string, value: string): void =>
    void options.set(name, [...(options.get(name) ?? []), value]);
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') operands.push(...rest.splice(0));
    else if (word.startsWith('--')) {
      const [name = '', value] = splitOnce(word, '=');
      add(name, value ?? (valued.has(name) ? (rest.shift() ?? '') : ''));
    } else if (word.startsWith('-') && word.length > 1) {
      for (let at = 1; at < word.length; at++) {
        const name = `-${word[at]}`;
        if (!valued.has(name)) add(name, '');
        else {
          add(name, at + 1 < word.length ? word.slice(at + 1) : (rest.shift() ?? ''));
          break;
        }
      }
    } else operands.push(word, ...(isPrefix ? rest.splice(0) : []));
  }
  return { options, operands };
}

function splitOnce(text: string, separator: string): readonly [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
