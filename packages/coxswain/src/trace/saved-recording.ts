import { readFile } from 'node:fs/promises';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { systemReason } from '@coxswain/storage/directory/private-files.ts';
import { parseRecording, type Recording } from '@coxswain/trace/recording.ts';

/** @throws Error naming the file if it can't be read or is not a recording */
export async function savedRecording(file: string): Promise<Recording> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`cannot read ${file}: ${systemReason(cause)}`, { cause });
  });
  try {
    return parseRecording(text);
  } catch (cause) {
    throw new Error(`${file}: ${messageOf(cause)}`, { cause });
  }
}
