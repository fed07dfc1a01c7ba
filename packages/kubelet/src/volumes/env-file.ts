/**
 * Variables from files in volumes (KEP-3721): lines `NAME='value'`, where a value may span lines. Containers write these
 * files, so what is opened is a regular file of bounded size within the volume, whatever links lie there.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { openInVolume } from './sub-path.ts';

const fileBytesMax = 1024 * 1024;

/** Undefined if the file does not contain the key. @throws Error with upstream's message for all failures */
export async function valueInFile(volume: string, file: string, key: string): Promise<string | undefined> {
  try {
    return valueOf(await readInVolume(volume, file), key);
  } catch (error) {
    throw new Error("couldn't parse env file", { cause: error });
  }
}

async function readInVolume(volume: string, file: string): Promise<string> {
  const place = await openInVolume(volume, file);
  try {
    const info = await place.stat();
    if (!info.isFile()) throw new Error('not a regular file');
    if (info.size > fileBytesMax) throw new Error(`larger than ${fileBytesMax} bytes`);
    const opened = await open(`/proc/self/fd/${place.fd}`, constants.O_RDONLY);
    try {
      const { buffer, bytesRead } = await opened.read(Buffer.alloc(fileBytesMax), 0, fileBytesMax, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await opened.close();
    }
  } finally {
    await place.close();
  }
}

const blank = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;
/** A name begins with what is not blank, so that long blanks are passed once. */
const assignment = /[ \t]*([^=\s][^=\n]*|)=(?:'([^']*)'|([ \t][^\n]*|(?=\n|$)))/y;

function valueOf(text: string, key: string): string | undefined {
  let at = 0;
  /** What the pattern matches here, which is then consumed. */
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    at = match === null ? at : pattern.lastIndex;
    return match;
  };
  while (at < text.length) {
    if (take(blank) !== null) continue;
    const [, name, value] = take(assignment) ?? [];
    if (!name || /[ \t]$/.test(name)) throw new Error('invalid environment variable format');
    if (name === key && value === undefined) return undefined;
    if (take(blank) === null && at < text.length) throw new Error('unexpected content after closing quote');
    if (name === key) return value;
  }
  return undefined;
}
