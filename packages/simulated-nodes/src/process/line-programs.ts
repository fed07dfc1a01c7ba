/** BusyBox's filters that work line by line. */
import { withOptions } from './declared-options.ts';
import { resolvePath } from './container-files.ts';
import { complain, print, type ByteOutput } from './simulated-process.ts';
import { eachInput, printLines, readLines, wholeText } from './text-programs.ts';

export const rev = withOptions({ letters: '', synopsis: '[FILE]...' }, async (process, { operands }) => {
  const { lines, code } = await readLines(process, operands);
  await printLines(
    process,
    lines.map((line) => [...line].reverse().join('')),
  );
  return code;
});

export const tac = withOptions({ letters: '', synopsis: '[FILE]...' }, async (process, { operands }) => {
  const texts: string[] = [];
  const code = await eachInput(process, operands, async (input) => {
    const lines = (await wholeText(input)).match(/[^\n]*\n|[^\n]+$/g) ?? [];
    texts.push(lines.reverse().join(''));
  });
  await print(process.stdout, texts.join(''));
  return code;
});

export const nl = withOptions(
  { letters: 'b:i:s:v:w:', synopsis: '[OPTIONS] [FILE]...' },
  async (process, options) => {
    const { lines, code } = await readLines(process, options.operands);
    const width = Number(options.value('w') ?? 6);
    const separator = options.value('s') ?? '\t';
    const style = options.value('b') ?? 't';
    let number = Number(options.value('v') ?? 1);
    const numbered = lines.map((line) => {
      const isCounted = style === 'a' || (style === 't' && line !== '');
      if (!isCounted) return `${' '.repeat(width + separator.length)}${line}`;
      const shown = String(number).padStart(width);
      number += Number(options.value('i') ?? 1);
      return `${shown}${separator}${line}`;
    });
    await printLines(process, numbered);
    return code;
  },
);

export const uniq = withOptions(
  { letters: 'cduif:s:w:', synopsis: '[-cdui] [-f,s,w N] [FILE [OUTFILE]]' },
  async (process, options) => {
    const [path, target] = options.operands;
    const { lines, code } = await readLines(process, path === undefined ? [] : [path]);
    const keyOf = (line: string): string => {
      const rest = line.replace(new RegExp(`^(?:\\s*\\S+){0,${Number(options.value('f') ?? 0)}}`), '');
      const key = rest
        .slice(Number(options.value('s') ?? 0))
        .slice(0, Number(options.value('w') ?? Infinity));
      return options.has('i') ? key.toLowerCase() : key;
    };
    const runs: { readonly line: string; readonly key: string; count: number }[] = [];
    for (const line of lines) {
      const key = keyOf(line);
      const last = runs.at(-1);
      if (last?.key === key) last.count++;
      else runs.push({ line, key, count: 1 });
    }
    const shown = runs
      .filter(({ count }) => !(count > 1 ? options.has('u') : options.has('d')))
      .map(({ line, count }) => (options.has('c') ? `${String(count).padStart(7)} ${line}` : line));
    await printLines({ ...process, stdout: outputTo(process, target) }, shown);
    return code;
  },
);

/** Standard output, or a file. */
function outputTo(
  { stdout, files, place, clock }: Parameters<typeof complain>[0],
  path: string | undefined,
): ByteOutput {
  if (path === undefined || path === '-') return stdout;
  return (bytes) => files.write(resolvePath(place.directory, path), bytes, clock.now());
}

export const cut = withOptions(
  {
    letters: 'b:c:f:d:snD',
    long: {
      '--delimiter': 'd',
      '--fields': 'f',
      '--characters': 'c',
      '--bytes': 'b',
      '--only-delimited': 's',
    },
    synopsis: '{-b|c LIST | -f LIST [-d SEP] [-s]} [FILE]...',
  },
  async (process, options) => {
    const letter = ['b', 'c', 'f'].find((one) => options.has(one));
    if (letter === undefined) return complain(process, 'expected a list of bytes, characters, or fields');
    const ranges = options.value(letter)!.split(',').map(rangeOf);
    if (ranges.includes(undefined)) return complain(process, `invalid range`);
    const selects = (number: number) => ranges.some((range) => range![0] <= number && number <= range![1]);
    const separator = letter === 'f' ? (options.value('d') ?? '\t') : '';
    const { lines, code } = await readLines(process, options.operands);
    const selected = lines.flatMap((line) => {
      if (letter === 'f' && !line.includes(separator)) return options.has('s') ? [] : [line];
      const parts = letter === 'f' ? line.split(separator) : [...line];
      return [parts.filter((_part, at) => selects(at + 1)).join(separator)];
    });
    await printLines(process, selected);
    return code;
  },
);

/** `2`, `2-4`, `2-`, `-4`. */
function rangeOf(text: string): readonly [number, number] | undefined {
  const [whole, first = '', dash, last = ''] = /^(\d*)(-?)(\d*)$/.exec(text) ?? [];
  if (whole === undefined || first + last === '') return undefined;
  const from = Number(first || 1);
  return [from, dash === '' ? from : Number(last || Infinity)];
}

const classes: Readonly<Record<string, string>> = {
  digit: '0-9',
  lower: 'a-z',
  upper: 'A-Z',
  alpha: 'A-Za-z',
  alnum: '0-9A-Za-z',
  space: '\t-\r ',
  blank: ' \t',
  punct: '!-/:-@[-`{-~',
  cntrl: '\0-\x1f\x7f',
  xdigit: '0-9A-Fa-f',
};

const letterEscapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0', '\\': '\\' };

/** The characters of a set such as `a-z` or `[:digit:]`. */
function lettersOf(set: string): readonly string[] {
  const plain = set
    .replaceAll(/\[:(\w+):\]/g, (whole, name: string) => classes[name] ?? whole)
    .replaceAll(/\\([^])/g, (_whole, letter: string) => letterEscapes[letter] ?? letter);
  return [...plain.matchAll(/([^])-([^])|[^]/gu)].flatMap(([whole, first, last]) => {
    if (first === undefined) return [whole];
    const [from, to] = [first.codePointAt(0)!, last!.codePointAt(0)!];
    return Array.from({ length: Math.max(0, to - from + 1) }, (_none, at) => String.fromCodePoint(from + at));
  });
}

export const tr = withOptions(
  { letters: 'cCds', synopsis: '[-cds] STRING1 [STRING2]', operandsMin: 1, isPrefix: true },
  async (process, options) => {
    const [first = '', second] = options.operands;
    const from = lettersOf(first);
    const to = second === undefined ? [] : lettersOf(second);
    const isComplement = options.has('c') || options.has('C');
    const index = new Map(from.map((letter, at) => [letter, at]));
    const isListed = (letter: string) => index.has(letter) !== isComplement;
    const deletes = options.has('d');
    const translate = (letter: string): string => {
      if (to.length === 0 || deletes || !isListed(letter)) return letter;
      return to[isComplement ? to.length - 1 : Math.min(index.get(letter)!, to.length - 1)]!;
    };
    // Repetitions of the last set are squeezed.
    const squeezed = new Set(to);
    const squeezes = (letter: string) =>
      options.has('s') && (second === undefined ? isListed(letter) : squeezed.has(letter));
    const decoder = new TextDecoder();
    let last = '';
    for (let chunk = await process.stdin.read(); chunk !== undefined; chunk = await process.stdin.read()) {
      let text = '';
      for (const letter of decoder.decode(chunk, { stream: true })) {
        if (deletes && isListed(letter)) continue;
        const next = translate(letter);
        if (next === last && squeezes(next)) continue;
        text += next;
        last = next;
      }
      await print(process.stdout, text);
    }
    return 0;
  },
);

export const tee = withOptions({ letters: 'ai', synopsis: '[-ai] [FILE]...' }, async (process, options) => {
  const { files, place, clock, stdin, stdout } = process;
  const paths = options.operands.map((path) => resolvePath(place.directory, path));
  for (const path of paths)
    if (!options.has('a') || files.entry(path) === undefined)
      files.write(path, new Uint8Array(0), clock.now());
  for (let chunk = await stdin.read(); chunk !== undefined; chunk = await stdin.read()) {
    for (const path of paths) if (path !== '/dev/null') files.append(path, chunk, clock.now());
    await stdout(chunk);
  }
  return 0;
});
