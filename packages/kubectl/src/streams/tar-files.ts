/** Packs local files into an archive, and unpacks an archive to local files, with the library `tar-stream`. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import { createReadStream } from 'node:fs';
import { lstat, open, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { systemMessage } from '@coxswain/apimachinery/system-message.ts';
import { whenDrained } from '@coxswain/streaming';
import { extract as newExtract, pack as newPack, type Extract, type Header, type Pack } from 'tar-stream';
import { makeDirectory } from './make-directory.ts';

/** Packs the files below `source` under their names at the destination. Ends with an error if one can't be read. */
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
  /** The directory in the archive that becomes `destination`. */
  readonly prefix: string;
  /** As specified, relative to `workingDirectory`. */
  readonly destination: string;
  readonly workingDirectory: string;
  readonly warn: (text: string) => void;
  readonly onSymlink: (local: string, target: string) => void;
}

/**
 * Writes nothing outside the destination, and no links: anything that is neither a directory nor a link becomes a file.
 * @throws Error for an invalid archive, or one with unexpected contents
 */
export async function unpackFiles(
  archive: AsyncIterable<Uint8Array>,
  { prefix, destination, workingDirectory, warn, onSymlink }: UnpackOptions,
): Promise<void> {
  const extract = newExtract();
  let sourceFailure: Error | undefined;
  detach(feed(archive, extract, (failure) => (sourceFailure = failure)));
  const absolute = (name: string) => path.resolve(workingDirectory, name);
  try {
    for await (const entry of extract) {
      const { name, type, linkname } = entry.header;
      if (!name.startsWith(prefix)) throw new Error('tar contents corrupted');
      const local = path.join(destination, remoteName(name.slice(prefix.length)));
      const isDirectory = type === 'directory' || name.endsWith('/');
      if (!isWithin(absolute(destination), absolute(local))) {
        warn(`warning: file ${goQuote(local)} is outside target destination, skipping\n`);
      } else {
        await makeDirectory(path.dirname(local), absolute);
        if (isDirectory) await makeDirectory(local, absolute);
        else if (type === 'symlink') onSymlink(local, linkname ?? '');
        else if (isSparse(entry.header))
          throw new Error(`${local} is a sparse file: pack it without --sparse`);
        else {
          await writeEntry(entry as AsyncIterable<Uint8Array>, local, absolute);
          continue;
        }
      }
      entry.resume();
    }
  } catch (failure) {
    extract.destroy();
    throw sourceFailure ?? asArchiveError(failure as Error);
  }
}

/** In a sparse file, a few bytes may represent any number of zeros. */
const isSparse = ({ pax }: Header): boolean =>
  Object.keys(pax ?? {}).some((name) => name.startsWith('GNU.sparse.'));

/** Windows uses different separators. */
const remoteName = (name: string): string => name.replace(/(?<=.)\/$/, '').replaceAll('\\', '/');

function isWithin(directory: string, file: string): boolean {
  const relative = path.relative(directory, file);
  return relative !== '..' && !relative.startsWith('../');
}

async function writeEntry(
  content: AsyncIterable<Uint8Array>,
  name: string,
  absolute: (name: string) => string,
): Promise<void> {
  const file = await open(absolute(name), 'w').catch((failure: unknown) => {
    throw new Error(`open ${name}: ${systemMessage(failure)}`, { cause: failure });
  });
  try {
    // A pipeline would wait forever for a truncated archive.
    for await (const chunk of content) await file.writeFile(chunk);
  } finally {
    await file.close();
  }
}

/** Uses the messages of Go's archive/tar. */
function asArchiveError(failure: Error): Error {
  if (/^(Unexpected end of data|Stream was destroyed)/.test(failure.message))
    return new Error('unexpected EOF', { cause: failure });
  if (failure.message.startsWith('Invalid tar header'))
    return new Error('archive/tar: invalid tar header', { cause: failure });
  if (failure.message.startsWith('Header exceeds'))
    return new Error('archive/tar: header field too long', { cause: failure });
  return failure;
}

/** Turns a failure of the source into one of the archive. */
async function feed(
  archive: AsyncIterable<Uint8Array>,
  extract: Extract,
  report: (failure: Error) => void,
): Promise<void> {
  try {
    for await (const chunk of archive) {
      if (extract.destroyed) return;
      if (!extract.write(chunk)) await new Promise<void>((resolve) => whenDrained(extract, resolve));
    }
    extract.end(undefined);
  } catch (failure) {
    report(failure as Error);
    extract.destroy(failure as Error);
  }
}
