/** The ends of lines of descriptions, for which the package that they are read from has blanks. */

export const withParagraphs = (descriptions: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(descriptions).map(([name, text]) => [name, brokenAgain(text)]));

/** What follows a pair of blanks within a paragraph; all other pairs are between two. */
const goesOn =
  /^(will be sent|Fields may appear|Each reason|This field may be presented|Order is NOT|Wrappers)/;

/** Indentation is even, so that an odd run of blanks was one end of a line, and an even one a paragraph's. */
const brokenAgain = (text: string): string =>
  text
    .replace(/ {2,}/g, (blanks, at: number) => {
      if (blanks.length % 2 === 1) return `\n${blanks.slice(1)}`;
      const isWithin = blanks.length === 2 && goesOn.test(text.slice(at + 2));
      return isWithin ? blanks : `\n\n${blanks.slice(2)}`;
    })
    .replace(/(?<=processed\.) - (?=`)/g, '\n- ');
