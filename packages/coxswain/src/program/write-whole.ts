/** Writes a file from a stream. */
import { open, rename, rm } from 'node:fs/promises';
import { privateFileMode } from '@coxswain/storage/directory/private-files.ts';

/** Replaces the file atomically; only its owner can read it. Resolves with its size in bytes. */
export async function writeWhole(file: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const partial = `${file}.partial`;
  let written = 0;
  const handle = await open(partial, 'w', privateFileMode);
  try {
    for await (const chunk of chunks) {
      await handle.writeFile(chunk);
      written += chunk.length;
    }
    await handle.sync();
    await handle.close();
    await rename(partial, file);
    return written;
  } catch (failure) {
    await handle.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw failure;
  }
}
