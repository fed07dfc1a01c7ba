/** BusyBox's `date`, in UTC. */
import { readOptionWords } from './option-words.ts';
import { complain, print, type SimulatedProcess } from './simulated-process.ts';

const valued: ReadonlySet<string> = new Set(['-d', '--date', '-I']);

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const two = (value: number): string => String(value).padStart(2, '0');

const startOfYear = (at: Date): number => Date.UTC(at.getUTCFullYear(), 0, 1);

/** The conversions of strftime that scripts use. Unknown ones are printed as they are. */
const conversions: Readonly<Record<string, (at: Date) => string>> = {
  Y: (at) => String(at.getUTCFullYear()),
  y: (at) => two(at.getUTCFullYear() % 100),
  m: (at) => two(at.getUTCMonth() + 1),
  d: (at) => two(at.getUTCDate()),
  e: (at) => String(at.getUTCDate()).padStart(2),
  H: (at) => two(at.getUTCHours()),
  I: (at) => two(at.getUTCHours() % 12 || 12),
  M: (at) => two(at.getUTCMinutes()),
  S: (at) => two(at.getUTCSeconds()),
  p: (at) => (at.getUTCHours() < 12 ? 'AM' : 'PM'),
  a: (at) => days[at.getUTCDay()]!.slice(0, 3),
  A: (at) => days[at.getUTCDay()]!,
  b: (at) => months[at.getUTCMonth()]!.slice(0, 3),
  B: (at) => months[at.getUTCMonth()]!,
  j: (at) => String(Math.floor((at.getTime() - startOfYear(at)) / 86_400_000) + 1).padStart(3, '0'),
  u: (at) => String(at.getUTCDay() || 7),
  w: (at) => String(at.getUTCDay()),
  s: (at) => String(Math.floor(at.getTime() / 1000)),
  N: (at) => String(at.getUTCMilliseconds() * 1_000_000).padStart(9, '0'),
  Z: () => 'UTC',
  z: () => '+0000',
  F: (at) => formatted('%Y-%m-%d', at),
  T: (at) => formatted('%H:%M:%S', at),
  R: (at) => formatted('%H:%M', at),
  D: (at) => formatted('%m/%d/%y', at),
  c: (at) => formatted('%a %b %e %T %Y', at),
  n: () => '\n',
  t: () => '\t',
  '%': () => '%',
};

const formatted = (format: string, at: Date): string =>
  format.replace(/%(.)/g, (whole, letter: string) => conversions[letter]?.(at) ?? whole);

const isoFormats: Readonly<Record<string, string>> = {
  '': '%F',
  date: '%F',
  hours: '%FT%H+00:00',
  minutes: '%FT%R+00:00',
  seconds: '%FT%T+00:00',
};

/** `date [-u] [-R] [-I[TIMESPEC]] [-d TIME] [+FORMAT]`, where TIME is `@SECONDS` or in ISO 8601. */
export async function date(process: SimulatedProcess): Promise<number> {
  const { argv, clock, stdout } = process;
  const { options, operands } = readOptionWords(argv.slice(1), valued);
  const [unknown] = operands.filter((word) => !word.startsWith('+'));
  const [said] = options.get('-d') ?? options.get('--date') ?? [];
  const at = said === undefined ? new Date(clock.now()) : momentOf(said);
  const iso = options.get('-I');
  const isoFormat = isoFormats[iso?.[0] ?? ''];
  if (unknown !== undefined) return complain(process, `invalid date '${unknown}'`);
  if (Number.isNaN(at.getTime())) return complain(process, `invalid date '${said}'`);
  if (isoFormat === undefined) return complain(process, `invalid argument '${iso?.[0]}' to '-I'`);
  const format =
    operands[0]?.slice(1) ??
    (iso !== undefined ? isoFormat : options.has('-R') ? '%a, %d %b %Y %T +0000' : '%a %b %e %T UTC %Y');
  await print(stdout, `${formatted(format, at)}\n`);
  return 0;
}

/** A time without a zone is in UTC, the zone of the container. */
function momentOf(text: string): Date {
  const seconds = /^@(-?\d+)$/.exec(text)?.[1];
  if (seconds !== undefined) return new Date(Number(seconds) * 1000);
  const iso = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?))?(Z?)$/.exec(text);
  return new Date(iso === null ? Number.NaN : `${iso[1]}T${iso[2] ?? '00:00'}Z`);
}
