/** Lines that are shown in place of those that were shown before. */

/** Everything from the cursor to the end of the screen. */
const eraseBelow = '\u001B[J';
const up = (lines: number): string => (lines === 0 ? '\r' : `\u001B[${lines}F`);

export interface LiveBlock {
  show(text: string): void;
}

/** Of more lines than the screen has, the last ones are left out, and that is told. */
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
