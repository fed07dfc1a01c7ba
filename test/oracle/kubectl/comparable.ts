/** What a command printed, without what differs from run to run. */
import type { CommandStep, Printed } from './case.ts';

export interface Known {
  /** Texts of this run, and what stands for them. */
  readonly literals: readonly (readonly [string, string])[];
  readonly patterns: readonly (readonly [string, string])[];
}

export interface RawPrinted {
  readonly exit: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

export function comparable(printed: RawPrinted, step: CommandStep, known: Known): Printed {
  const lines = (stream: 'stdout' | 'stderr') => {
    const text = chosen(withoutAccidents(printed[stream], known), step, stream);
    return text === '' ? [] : text.split('\n');
  };
  const counts = (stream: string) => !step.ignore?.includes(stream);
  return {
    exit: printed.exit,
    ...(counts('stdout') && { stdout: lines('stdout') }),
    ...(counts('stderr') && { stderr: lines('stderr') }),
  };
}

function chosen(text: string, step: CommandStep, stream: 'stdout' | 'stderr'): string {
  const { pick, lines, extract, sort = false, size = 0 } = step;
  let rest = text.split('\n');
  const wanted = pick ?? (stream === 'stdout' ? lines : undefined);
  if (wanted !== undefined) rest = rest.filter((line) => new RegExp(wanted).test(line));
  if (extract !== undefined && stream === 'stdout')
    rest = [...rest.join('\n').matchAll(new RegExp(extract, 'gm'))].map(([all, part]) => part ?? all);
  const shown = (sort ? rest.toSorted() : rest).join('\n');
  return size > 0 && shown.length > size ? `more than ${size} characters` : shown;
}

/** Each pattern, and what stands for what it finds; in this order. */
const accidents: readonly (readonly [RegExp, string])[] = [
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g, '<uid>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, '<time>'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?( [+-]\d{4}( UTC)?)?( m=[+-][\d.]+)?/g, '<time>'],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, '<time>'],
  [/(resourceVersion\\?"?: ?\\?"?)\d+/g, '$1<rv>'],
  [/(Resource Version: +|resourceVersion=)\d+/g, '$1<rv>'],
  [/(^Age: +).*$/gm, '$1@'],
  [/((?:node|healthCheckNode)Port\\?"?: ?)3\d{4}/gi, '$1<port>'],
  [/(\d+:)3[0-2]\d{3}(\/(TCP|UDP|SCTP))/g, '$13####$2'],
  [/(NodePort: +\S+ +)3[0-2]\d{3}/g, '$13####'],
  [/kubectl-edit-\d+/g, 'kubectl-edit-<rand>'],
  [/(LIVE|MERGED)-\d+/g, '$1-<rand>'],
  [/\b(node-debugger-[A-Za-z\d.-]+?)-[a-z\d]{5}\b/g, '$1-<rand>'],
  [/\bdebugger-[a-z\d]{5}\b/g, 'debugger-<rand>'],
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>'],
  [/\[::1\]:\d+/g, '[::1]:<port>'],
  [/in \d+ milliseconds/g, 'in <n> milliseconds'],
  [/milliseconds=\d+/g, 'milliseconds=<n>'],
  [/\b0x[\da-f]{8,}\b/g, '0x<pointer>'],
];

/** Addresses of Services keep their width, as they stand in tables. */
const serviceAddress = /\b10\.0\.0\.(?!1\b)\d{1,3}\b( {2,})?/g;

function withoutAccidents(printed: string, { literals, patterns }: Known): string {
  let text = printed;
  for (const [from, to] of literals) text = text.replaceAll(from, to);
  text = text
    .replaceAll(/^([IWEF])\d{4} \d\d:\d\d:\d\d\.\d+\s+\d+ [\w./-]+:\d+\] /gm, '<klog $1> ')
    .replaceAll(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<jwt>')
    .replaceAll(/-----BEGIN ([A-Z ]+)-----[\s\S]*?-----END \1-----/g, '<pem>');
  text = withoutAges(text).replaceAll(serviceAddress, (found: string, gap?: string) =>
    gap === undefined ? '<ip>' : '<ip>'.padEnd(found.length),
  );
  for (const [pattern, stand] of accidents) text = text.replaceAll(pattern, stand);
  for (const [pattern, stand] of patterns) text = text.replaceAll(new RegExp(pattern, 'gm'), stand);
  return text;
}

const agingColumns = new Set(['AGE', 'LAST SEEN', 'FIRST SEEN', 'LAST SCHEDULE', 'DURATION', 'Age']);

const isHeader = (line: string): boolean =>
  (/^[A-Z][A-Z\d _()/%.-]*$/.test(line.trimEnd()) &&
    /\b(AGE|LAST SEEN|LAST SCHEDULE|DURATION|CLUSTER-IP|PORT\(S\))(\s|$)/.test(line)) ||
  /^\s+(Type\s+Reason\s+Age\s+From\s+Message|Namespace\s+Name\s+CPU Requests.*Age$)/.test(line);

interface Column {
  readonly name: string;
  readonly from: number;
  /** Undefined for the last one. */
  readonly to: number | undefined;
}

function columnsOf(header: string): Column[] {
  const cells = [...header.matchAll(/\S+(?: \S+)*/g)];
  return cells.map((cell, at) => ({ name: cell[0], from: cell.index, to: cells[at + 1]?.index }));
}

/** Ages in tables become `@`, in a column as wide as its name wants: how columns stand is compared. */
function withoutAges(text: string): string {
  let aging: Column[] = [];
  const lines = text.split('\n').map((line) => {
    if (isHeader(line)) aging = columnsOf(line).filter(({ name }) => agingColumns.has(name));
    else if (line.trim() === '') aging = [];
    return aging.toReversed().reduce(withoutAge, line);
  });
  return lines.join('\n');
}

function withoutAge(line: string, { name, from, to }: Column): string {
  if (line.length < from) return line;
  const cell = line.slice(from, to).trimEnd();
  const isAge = cell !== name && !['', '<none>', '<unset>'].includes(cell);
  const stand = /^-+$/.test(cell) ? '---' : isAge ? '@' : cell;
  const wide = to === undefined ? stand : stand.padEnd(Math.max(name.length, 6) + 2) + line.slice(to);
  return line.slice(0, from) + wide;
}
