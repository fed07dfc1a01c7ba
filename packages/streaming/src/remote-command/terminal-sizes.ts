import { bytesOf } from '../bytes-of.ts';
import type { Readable } from 'node:stream';
import type { TerminalSize } from './protocols.ts';

/** A terminal size as sent: one line of JSON with Go's field names. */
export const encodeSize = ({ width, height }: TerminalSize): string =>
  `${JSON.stringify({ Width: width, Height: height })}\n`;

/** The maximum length of one size; longer input ends the stream. */
const sizeBytesMax = 1024;

/** JSON objects in sequence, with or without separators. */
export async function* terminalSizes(stream: Readable): AsyncGenerator<TerminalSize> {
  let text = '';
  for await (const chunk of bytesOf(stream)) {
    text += Buffer.from(chunk).toString('latin1');
    for (let end = text.indexOf('}'); end >= 0; end = text.indexOf('}')) {
      const size = parseSize(text.slice(0, end + 1));
      if (size === undefined) return;
      yield size;
      text = text.slice(end + 1);
    }
    if (text.length > sizeBytesMax) return;
  }
}

function parseSize(text: string): TerminalSize | undefined {
  try {
    const { Width = 0, Height = 0 } = JSON.parse(text) as { Width?: number; Height?: number };
    return { width: Width, height: Height };
  } catch {
    return undefined;
  }
}
