/** Of options that `set -o` names. */
const letters: Readonly<Record<string, string>> = {
  braceexpand: 'B',
  errexit: 'e',
  nounset: 'u',
  xtrace: 'x',
};

/**
 * `set -e`, `set +x`, `set -o pipefail`, `set -- a b`.
 * @returns the operands, if they are to replace the parameters
 */
export function setOptions(options: Set<string>, words: readonly string[]): readonly string[] | undefined {
  for (const [at, word] of words.entries()) {
    const isName = /^[-+]\w*o$/.test(words[at - 1] ?? '');
    if (word === '--') return words.slice(at + 1);
    if (!isName && !/^[-+]/.test(word)) return words.slice(at);
    const sign = isName ? words[at - 1]![0] : word[0];
    for (const option of isName ? [letters[word] ?? word] : word.slice(1))
      if (sign === '-') options.add(option);
      else options.delete(option);
  }
  return undefined;
}
