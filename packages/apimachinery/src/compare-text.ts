/** Texts in the order of their UTF-16 code units, as `sort()` has them; for ASCII that is Go's byte order. */

export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The first of `length` sorted texts that is not before `text`. */
export function firstNotBefore(length: number, text: string, at: (index: number) => string): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(middle) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** From this number on, it takes long to make a set of texts. */
const manyTexts = 1000;

/** Whether a text is one of `texts`; many of them should be sorted. */
export function isOneOf(texts: readonly string[]): (text: string) => boolean {
  const isSorted = (): boolean => texts.every((text, index) => index === 0 || texts[index - 1]! <= text);
  if (texts.length >= manyTexts && isSorted())
    return (text) => texts[firstNotBefore(texts.length, text, (index) => texts[index]!)] === text;
  const set = new Set(texts);
  return (text) => set.has(text);
}
