/** The commands of a chapter: lines of its examples with their standard input. */

export interface ChapterCommand {
  /** `kubectl get pods` */
  readonly line: string;
  readonly stdin: string;
  /** Only kubectl runs in the page. It is recorded in any case. */
  readonly isRunnable: boolean;
}

const hereDocument = / <<(\w+)$/;

export function commandsOf(example: string): readonly ChapterCommand[] {
  const commands: ChapterCommand[] = [];
  const lines = example.split('\n').values();
  for (const line of lines) {
    const end = hereDocument.exec(line)?.[1];
    commands.push({
      line: line.replace(hereDocument, ''),
      stdin: end === undefined ? '' : until(lines, end),
      isRunnable: line.startsWith('kubectl '),
    });
  }
  return commands.filter(({ line }) => line.trim() !== '');
}

function until(lines: Iterator<string>, end: string): string {
  let text = '';
  for (let next = lines.next(); !next.done && next.value !== end; next = lines.next())
    text += `${next.value}\n`;
  return text;
}
