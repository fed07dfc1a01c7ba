import { readFileSync } from 'node:fs';
import { openFailure } from './load.ts';

/** Base64 data takes precedence over a file. @throws Error with Go's message if the file can't be opened */
export function dataOrFile(data: string | undefined, file: string | undefined): string | undefined {
  if (data) return Buffer.from(data, 'base64').toString('utf8');
  if (!file) return undefined;
  const failure = openFailure(file);
  if (failure !== undefined) throw new Error(failure);
  return readFileSync(file, 'utf8');
}
