import { bytesOf } from '../bytes-of.ts';
import type { Readable } from 'node:stream';
import type { TerminalSize } from './protocols.ts';

/** One size as it is sent; a line of JSON with Go's member names. */
export const encodeSize = ({ width, height }: TerminalSize): string =>
  `${JSON.stringify({ Width: width, Height: height })}\n`;

/** What a client says of its terminal is short; anything longer ends the stream of sizes. */
const sizeBytesMax = 1024;

/** JSON objects one after the other, with or without something between them. */
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
