/**
 * The line discipline of a terminal: it echoes, supports line editing, and turns Ctrl-C and Ctrl-D into an interrupt
 * and an end of input.
 */
import type { ByteOutput } from './simulated-process.ts';

const keys = { interrupt: 3, end: 4, newline: 10, return: 13, eraseLine: 21, delete: 127, backspace: 8 };

const encoder = new TextEncoder();

/** Keys in, lines out. */
export async function* cookedLines(
  source: AsyncIterable<Uint8Array>,
  echo: ByteOutput,
): AsyncGenerator<Uint8Array> {
  let line: number[] = [];
  for await (const chunk of source) {
    for (const key of chunk) {
      if (key === keys.interrupt) {
        line = [];
        await echo(encoder.encode('^C\r\n'));
        yield Uint8Array.of(keys.newline);
      } else if (key === keys.end) {
        if (line.length === 0) return;
        yield Uint8Array.from(line);
        line = [];
      } else if (key === keys.return || key === keys.newline) {
        await echo(encoder.encode('\r\n'));
        yield Uint8Array.from([...line, keys.newline]);
        line = [];
      } else if (key === keys.delete || key === keys.backspace) {
        if (line.pop() !== undefined) await echo(encoder.encode('\b \b'));
      } else if (key === keys.eraseLine) {
        await echo(encoder.encode('\b \b'.repeat(line.length)));
        line = [];
      } else if (line.length < lineBytesMax) {
        line.push(key);
        await echo(Uint8Array.of(key));
      }
    }
  }
  if (line.length > 0) yield Uint8Array.from(line);
}

/** As on Linux. */
const lineBytesMax = 4095;

/** A newline also returns to the first column. */
export const withReturns =
  (output: ByteOutput): ByteOutput =>
  (bytes) => {
    const returned: number[] = [];
    for (const byte of bytes) {
      if (byte === keys.newline) returned.push(keys.return);
      returned.push(byte);
    }
    return output(Uint8Array.from(returned));
  };
