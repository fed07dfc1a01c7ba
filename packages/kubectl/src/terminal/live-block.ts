/** Lines that replace those shown before. */

/** Erases everything from the cursor to the end of the screen. */
const eraseBelow = '\u001B[J';
const up = (lines: number): string => (lines === 0 ? '\r' : `\u001B[${lines}F`);

export interface LiveBlock {
  show(text: string): void;
}

/** If there are more lines than the screen has, the last ones are omitted with a notice. */
export function liveBlock(write: (text: string) => void, rows: () => number): LiveBlock {
  let shownLines = 0;
  return {
    show(text) {
      const lines = text.replace(/\n$/, '').split('\n');
      const room = Math.max(2, rows() - 1);
      const fits = lines.length <= room;
      const shown = fits ? lines : [...lines.slice(0, room - 1), `… ${lines.length - room + 1} more`];
      write(`${up(shownLines)}${eraseBelow}${shown.join('\n')}\n`);
      shownLines = shown.length;
    },
  };
}
