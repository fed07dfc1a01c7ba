/** BusyBox's `printf`, whose format is used again while values are left. */
import { print, type SimulatedProcess } from './simulated-process.ts';

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  e: '\x1b',
  a: '\x07',
};

/** Escape sequences as characters; an octal number is a byte. */
export const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:(0?[0-7]{1,3})|(.))/g, (whole, octal: string | undefined, letter: string) =>
    octal === undefined ? (escapes[letter] ?? whole) : String.fromCharCode(Number.parseInt(octal, 8)),
  );

const directive = /%([-+0 #]*)(\d*|\*)(?:\.(\d+))?([sdiuxXocfb%])/g;

/** The maximum width of a value. */
const widthMax = 1_000;

export async function printf({ argv, stdout }: SimulatedProcess): Promise<number> {
  const [format = '', ...values] = argv.slice(1).filter((word, at) => at > 0 || word !== '--');
  const rest = [...values];
  let text = '';
  do {
    const before = rest.length;
    text += formatted(unescaped(format), rest);
    // A format without directives prints once.
    if (rest.length === before) break;
  } while (rest.length > 0);
  await print(stdout, text);
  return 0;
}

/** Consumes the values that it shows. */
export function formatted(format: string, values: string[]): string {
  return format.replaceAll(
    directive,
    (_whole, flags: string, width: string, precision: string | undefined, verb: string) => {
      if (verb === '%') return '%';
      const size = Math.min(widthMax, Number(width === '*' ? values.shift() : width) || 0);
      const shown = shownAs(verb, values.shift() ?? '', precision);
      const signed =
        flags.includes('+') && /[dif]/.test(verb) && !shown.startsWith('-') ? `+${shown}` : shown;
      if (flags.includes('-')) return signed.padEnd(size);
      const isZero = flags.includes('0') && !/[scb]/.test(verb);
      const sign = isZero ? (/^[-+]/.exec(signed)?.[0] ?? '') : '';
      return sign + signed.slice(sign.length).padStart(size - sign.length, isZero ? '0' : ' ');
    },
  );
}

function shownAs(verb: string, value: string, precision: string | undefined): string {
  switch (verb) {
    case 's':
      return precision === undefined ? value : value.slice(0, Number(precision));
    case 'b':
      return unescaped(value);
    case 'c':
      return value.slice(0, 1);
    case 'f':
      return (Number(value) || 0).toFixed(Math.min(100, Number(precision ?? 6)));
  }
  const number = Math.trunc(Number(value) || 0);
  const digits = number.toString(verb === 'o' ? 8 : /x/i.test(verb) ? 16 : 10);
  return verb === 'X' ? digits.toUpperCase() : digits;
}
