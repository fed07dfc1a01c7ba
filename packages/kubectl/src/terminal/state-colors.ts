/** What states mean to people: all is well, something is under way, somebody must look. */
import { painted, type Color } from './colors.ts';

export type TablePainter = (block: string) => string;

/** Of the words that `get` shows in columns of states; what isn't here has no colour. */
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

/** Paints aligned lines; those after a heading belong to it, in this block and in the next ones. */
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

/** Names of objects have no capital letters, headings no others. */
const isHeading = (line: string): boolean => /^[A-Z]/.test(line) && line === line.toUpperCase();

const columnsOf = (heading: string): Column[] =>
  [...heading.matchAll(/\S+(?: \S+)*/g)].map(({ index, 0: name }) => ({ name, start: index }));

/** Lines are as wide as before: colours have no width. */
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
