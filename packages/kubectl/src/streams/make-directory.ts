/** Makes a directory and those above it. Node's own recursion never ends below `/proc`, where nothing can be made. */
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemMessage } from '@coxswain/apimachinery/system-message.ts';

/**
 * @param name as the user specified it, for messages
 * @throws Error with Go's message that names the first directory that cannot be made
 */
export async function makeDirectory(name: string, absolute: (name: string) => string): Promise<void> {
  const found = await stat(absolute(name)).catch(() => undefined);
  if (found?.isDirectory()) return;
  if (found !== undefined) throw new Error(`mkdir ${name}: not a directory`);
  const parent = path.dirname(name);
  if (parent !== name) await makeDirectory(parent, absolute);
  try {
    await mkdir(absolute(name), { mode: 0o755 });
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new Error(`mkdir ${name}: ${systemMessage(failure)}`, { cause: failure });
  }
}
