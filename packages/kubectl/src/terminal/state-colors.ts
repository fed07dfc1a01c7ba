/** The colours of states: everything is fine, something is in progress, attention is needed. */
import { painted, type Color } from './colors.ts';

export type TablePainter = (block: string) => string;

/** The words in state columns of `get`; others have no colour. */
const states: readonly (readonly [RegExp, Color])[] = [
  [/NotReady|BackOff|Err|Failed|Failure|OOMKilled|Evicted|Lost|Unhealthy|Invalid|Rejected|Denied/, 'red'],
  [/^(?:False|Missing|Deadline.*)$/, 'red'],
  [
    /Terminating|Pending|Creating|Initializing|^Init:|SchedulingDisabled|Unknown|Suspended|Released|Progressing/,
    'yellow',
  ],
  [/^(?:Running|Ready|Active|Bound|Available|True|Approved.*|Healthy)$/, 'green'],
  [/^(?:Completed|Complete|Succeeded)$/, 'dim'],
];

const stateColumns = new Set(['STATUS', 'PHASE', 'CONDITION', 'READY', 'AVAILABLE', 'SYNCED', 'RESTARTS']);

export function stateColor(column: string, text: string): Color | undefined {
  const [, have, want] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  if (have !== undefined) return have === want ? 'green' : 'yellow';
  if (column === 'RESTARTS') return /^[1-9]/.test(text) ? 'yellow' : undefined;
  return states.find(([pattern]) => pattern.test(text))?.[1];
}

interface Column {
  readonly name: string;
  readonly start: number;
}

/** Colours aligned lines; lines after a heading belong to it, in this block and later ones. */
export function tablePainter(): TablePainter {
  let columns: readonly Column[] = [];
  return (block) =>
    block
      .split('\n')
      .map((line) => {
        if (isHeading(line)) {
          columns = columnsOf(line);
          return painted(line, 'bold');
        }
        return paintLine(line, columns);
      })
      .join('\n');
}

/** Object names have no capital letters; headings have only capital letters. */
const isHeading = (line: string): boolean => /^[A-Z]/.test(line) && line === line.toUpperCase();

const columnsOf = (heading: string): Column[] =>
  [...heading.matchAll(/\S+(?: \S+)*/g)].map(({ index, 0: name }) => ({ name, start: index }));

/** The width of lines is unchanged, since colours have no width. */
function paintLine(line: string, columns: readonly Column[]): string {
  return columns.reduceRight((rest, { name, start }, index) => {
    if (!stateColumns.has(name)) return rest;
    const end = columns[index + 1]?.start ?? line.length;
    const cell = line.slice(start, end);
    const text = cell.trimEnd();
    const color = stateColor(name, text);
    if (color === undefined) return rest;
    return rest.slice(0, start) + painted(text, color) + rest.slice(start + text.length);
  }, line);
}
