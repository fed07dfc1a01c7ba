/** Finds the line of a position in a text, efficiently for many queries. */
export class LineNumbers {
  readonly #text: string;
  /** The start of each line; computed on first use. */
  #starts: readonly number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The first line is 1. */
  of(at: number): number {
    const starts = (this.#starts ??= startsOf(this.#text));
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= at) low = middle;
      else high = middle;
    }
    return low + 1;
  }
}

function startsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
