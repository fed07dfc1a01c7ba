/** go-yaml's order of keys: numbers in names by value, letters after everything else. */
export function compareYamlKeys(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at++) {
    if (left[at] !== right[at]) return compareFrom(left, right, at);
  }
  return left.length - right.length;
}

/** For texts that differ from `at` on. */
function compareFrom(a: readonly string[], b: readonly string[], at: number): number {
  const left = a[at]!;
  const right = b[at]!;
  const leftIsLetter = letter.test(left);
  const rightIsLetter = letter.test(right);
  if (leftIsLetter && rightIsLetter) return compareCode(left, right);
  if (leftIsLetter || rightIsLetter) return rightIsLetter ? -1 : 1;
  // After nonzero digits, zeros here must not count as leading zeros.
  const prefix = (left === '0' || right === '0') && followsNonZeroDigit(a, at) ? '1' : '';
  const leftDigits = digitsFrom(a, at);
  const rightDigits = digitsFrom(b, at);
  const bySize = compareNumber(numberOf(prefix, leftDigits), numberOf(prefix, rightDigits));
  return bySize || leftDigits.length - rightDigits.length || compareCode(left, right);
}

const letter = /^\p{L}$/u;
const digit = /^\p{Nd}$/u;

function followsNonZeroDigit(text: readonly string[], at: number): boolean {
  for (let before = at - 1; before >= 0 && digit.test(text[before]!); before--)
    if (text[before] !== '0') return true;
  return false;
}

function digitsFrom(text: readonly string[], at: number): readonly string[] {
  let end = at;
  while (end < text.length && digit.test(text[end]!)) end++;
  return text.slice(at, end);
}

/** In 64 bits, with Go's overflow. */
function numberOf(prefix: string, digits: readonly string[]): bigint {
  let value = prefix === '' ? 0n : 1n;
  for (const character of digits)
    value = BigInt.asIntN(64, value * 10n + BigInt(character.codePointAt(0)! - 0x30));
  return value;
}

const compareNumber = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
const compareCode = (a: string, b: string): number => a.codePointAt(0)! - b.codePointAt(0)!;
