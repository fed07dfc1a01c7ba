/** A status line at the bottom of a terminal, which leaves no trace. */

export interface StatusLine {
  show(text: string): void;
  /** Called before anything else is written, and at the end. */
  clear(): void;
}

const eraseLine = '\r\u001B[K';

export function statusLine(write: (text: string) => void, columns: number): StatusLine {
  let shown = '';
  return {
    show(text) {
      // The last column remains free: a cursor after it would start a new line.
      const line = [...text.replaceAll(/\s+/g, ' ')].slice(0, columns - 1).join('');
      if (line === shown) return;
      shown = line;
      write(eraseLine + line);
    },
    clear() {
      if (shown === '') return;
      shown = '';
      write(eraseLine);
    },
  };
}

const barColumns = 20;

/** `[#####---------------] 3 of 12 configured` */
export function progressText(done: number, total: number, what: string): string {
  const filled = total === 0 ? barColumns : Math.floor((barColumns * Math.min(done, total)) / total);
  return `[${'#'.repeat(filled)}${'-'.repeat(barColumns - filled)}] ${done} of ${total} ${what}`;
}
