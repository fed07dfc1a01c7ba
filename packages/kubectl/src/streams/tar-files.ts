/** Local files as an archive, and an archive as local files, with the library `tar-stream`. */
import { createReadStream, createWriteStream } from 'node:fs';
import { lstat, mkdir, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { extract as newExtract, pack as newPack } from 'tar-stream';
import type { Extract, Header, Pack } from 'tar-stream';

/** The files below `source`, as they are to be called there. Ends with an error when one can't be read. */
export function packFiles(source: string, name: string): AsyncIterable<Uint8Array> {
  const pack = newPack();
  addTo(pack, source, name).then(
    () => pack.finalize(),
    (failure: Error) => pack.destroy(failure),
  );
  return pack as unknown as AsyncIterable<Uint8Array>;
}

async function addTo(pack: Pack, source: string, name: string): Promise<void> {
  const found = await lstat(source);
  const shared = { name, mode: found.mode & 0o7777, mtime: found.mtime };
  if (found.isDirectory()) {
    const names = await readdir(source);
    if (names.length === 0) await added(pack, { ...shared, type: 'directory' });
    for (const child of names.sort()) await addTo(pack, path.join(source, child), `${name}/${child}`);
    return;
  }
  if (found.isSymbolicLink()) {
    await added(pack, { ...shared, type: 'symlink', linkname: await readlink(source) });
    return;
  }
  const done = Promise.withResolvers<void>();
  const entry = pack.entry({ ...shared, type: 'file', size: found.size }, (failure) =>
    failure ? done.reject(failure) : done.resolve(),
  );
  const sink = entry as unknown as NodeJS.WritableStream;
  await Promise.all([pipeline(createReadStream(source), sink), done.promise]);
}

const added = (pack: Pack, header: Partial<Header> & Pick<Header, 'name'>): Promise<void> =>
  new Promise((resolve, reject) => {
    pack.entry(header, '', (failure) => (failure ? reject(failure) : resolve()));
  });

export interface UnpackOptions {
  /** The folder of the archive that becomes `destination`. */
  readonly prefix: string;
  readonly destination: string;
  readonly warn: (text: string) => void;
  readonly onSymlink: (local: string, target: string) => void;
}

/** @throws Error for an archive that holds something else than what was asked for */
export async function unpackFiles(
  archive: AsyncIterable<Uint8Array>,
  { prefix, destination, warn, onSymlink }: UnpackOptions,
): Promise<void> {
  const extract = newExtract();
  void feed(archive, extract);
  for await (const entry of extract) {
    const { header } = entry;
    if (!header.name.startsWith(prefix)) throw new Error('tar contents corrupted');
    const rest = path.posix.normalize(`/${header.name.slice(prefix.length)}`);
    const local = path.resolve(destination, `.${rest}`);
    const isInside =
      local === path.resolve(destination) || !path.relative(destination, local).startsWith('..');
    if (!isInside) warn(`warning: file ${JSON.stringify(local)} is outside target destination, skipping\n`);
    else if (header.type === 'symlink') onSymlink(local, header.linkname ?? '');
    else {
      await mkdir(path.dirname(local), { recursive: true });
      if (header.type === 'directory') await mkdir(local, { recursive: true });
      else if (header.type === 'file' || header.type === 'contiguous-file') {
        await pipeline(entry as AsyncIterable<Uint8Array>, createWriteStream(local));
        continue;
      }
    }
    entry.resume();
  }
}

/** A failure of the source becomes one of the archive. */
async function feed(archive: AsyncIterable<Uint8Array>, extract: Extract): Promise<void> {
  try {
    for await (const chunk of archive) {
      if (extract.destroyed) return;
      if (!extract.write(chunk))
        await new Promise<void>((resolve) => {
          extract.once('drain', () => resolve());
          extract.once('close', () => resolve());
        });
    }
    extract.end(undefined);
  } catch (failure) {
    extract.destroy(failure as Error);
  }
}
