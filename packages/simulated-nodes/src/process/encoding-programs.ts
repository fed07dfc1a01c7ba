/** BusyBox's programs that encode, show and digest bytes. */
import { withOptions, type Declaration } from './declared-options.ts';
import { resolvePath } from './container-files.ts';
import { complain, print, type Program } from './simulated-process.ts';
import { eachInput, inputBytesMax } from './text-programs.ts';

export const base64 = withOptions(
  { letters: 'dw:', long: { '--decode': 'd', '--wrap': 'w' }, synopsis: '[-d] [-w COL] [FILE]' },
  async (process, options) => {
    let isTruncated = false;
    const code = await eachInput(process, options.operands.slice(0, 1), async (input) => {
      const bytes = await input.rest(inputBytesMax);
      if (options.has('d')) {
        const text = new TextDecoder().decode(bytes).replaceAll(/\s/g, '');
        const whole = /^[A-Za-z0-9+/]*={0,2}/.exec(text)![0];
        isTruncated = whole.length < text.length || whole.length % 4 === 1;
        return void (await process.stdout(bytesOf(isTruncated ? whole.slice(0, whole.length & ~3) : whole)));
      }
      const width = Number(options.value('w') ?? 76);
      const text = textOf(bytes);
      const lines = width > 0 ? (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []) : [text];
      await print(process.stdout, lines.map((line) => (width > 0 ? `${line}\n` : line)).join(''));
    });
    return isTruncated ? complain(process, 'truncated input') : code;
  },
);

/** The bytes that are made a string at once, since a call has a limited number of arguments. */
const bytesAtOnce = 0x6000;

function textOf(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += bytesAtOnce)
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + bytesAtOnce)));
  return text;
}

const bytesOf = (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

const hex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const digestDeclaration: Declaration = {
  letters: 'csw',
  long: { '--check': 'c', '--status': 's' },
  synopsis: '[-c[sw]] [FILE]...',
};

/** With `-c`, it verifies the digests that a file lists. */
const digest = (algorithm: string): Program =>
  withOptions(digestDeclaration, async (process, options) => {
    const digestOf = async (bytes: Uint8Array): Promise<string> =>
      hex(new Uint8Array(await crypto.subtle.digest(algorithm, bytes.slice())));
    let wrong = 0;
    const code = await eachInput(
      process,
      options.operands,
      async (input, path) => {
        if (!options.has('c'))
          return print(
            process.stdout,
            `${await digestOf(await input.rest(inputBytesMax))}  ${path || '-'}\n`,
          );
        for (let line = await input.line(); line !== undefined; line = await input.line()) {
          const [, expected, file = ''] = /^([0-9a-f]+) [ *](.+)$/.exec(line) ?? [];
          const full = resolvePath(process.place.directory, file);
          const isRight =
            process.files.entry(full)?.kind === 'file' &&
            (await digestOf(process.files.read(full))) === expected;
          if (!isRight) wrong++;
          if (!options.has('s')) await print(process.stdout, `${file}: ${isRight ? 'OK' : 'FAILED'}\n`);
        }
      },
      { isQuoted: true },
    );
    if (wrong === 0) return code;
    return options.has('s')
      ? 1
      : complain(process, `WARNING: ${wrong} of ${wrong} computed checksums did NOT match`);
  });

export const sha1sum = digest('SHA-1');
export const sha256sum = digest('SHA-256');
export const sha512sum = digest('SHA-512');

/** `hexdump -C` */
export const hexdump = withOptions(
  { letters: 'Cvn:', synopsis: '-C [-n N] [FILE]...' },
  async (process, options) => {
    if (!options.has('C')) return complain(process, 'only -C is simulated');
    return eachInput(process, options.operands, async (input) => {
      const bytes = (await input.rest(inputBytesMax)).subarray(0, Number(options.value('n') ?? Infinity));
      const lines: string[] = [];
      for (let at = 0; at < bytes.length; at += 16) {
        const row = bytes.subarray(at, at + 16);
        const codes = Array.from({ length: 16 }, (_none, column) =>
          column < row.length ? row[column]!.toString(16).padStart(2, '0') : '  ',
        );
        const letters = [...row]
          .map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.'))
          .join('');
        const [left, right] = [codes.slice(0, 8).join(' '), codes.slice(8).join(' ')];
        lines.push(`${offset(at)}  ${left}  ${right}  |${letters}|\n`);
      }
      if (bytes.length > 0) lines.push(`${offset(bytes.length)}\n`);
      await print(process.stdout, lines.join(''));
    });
  },
);

const offset = (at: number): string => at.toString(16).padStart(8, '0');
