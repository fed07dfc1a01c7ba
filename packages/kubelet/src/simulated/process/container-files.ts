/** The files of one simulated container, in memory. */

export type Entry =
  | { readonly kind: 'directory'; readonly mode: number; readonly modifiedMs: number }
  | { readonly kind: 'file'; readonly mode: number; readonly modifiedMs: number; readonly bytes: Uint8Array };

/** What all files of a container may hold. */
export const filesBytesMax = 64 * 1024 * 1024;

/** How many of them there may be. */
export const filesMax = 10_000;

/** A failure in the words of the C library, as commands print it. */
export class FileFailure extends Error {}

export class ContainerFiles {
  readonly #entries = new Map<string, Entry>([['/', { kind: 'directory', mode: 0o755, modifiedMs: 0 }]]);
  #bytes = 0;

  entry(path: string): Entry | undefined {
    return this.#entries.get(path);
  }

  isDirectory(path: string): boolean {
    return this.#entries.get(path)?.kind === 'directory';
  }

  /** @throws FileFailure */
  read(path: string): Uint8Array {
    const entry = this.#entries.get(path);
    if (entry === undefined) throw new FileFailure('No such file or directory');
    if (entry.kind === 'directory') throw new FileFailure('Is a directory');
    return entry.bytes;
  }

  /** Names, in order. @throws FileFailure */
  list(path: string): readonly string[] {
    if (!this.isDirectory(path))
      throw new FileFailure(this.#entries.has(path) ? 'Not a directory' : 'No such file or directory');
    const prefix = path === '/' ? '/' : `${path}/`;
    const names = [...this.#entries.keys()]
      .filter((name) => name !== '/' && name.startsWith(prefix) && !name.slice(prefix.length).includes('/'))
      .map((name) => name.slice(prefix.length));
    return names.sort();
  }

  /** @throws FileFailure when the folder is not there, or nothing more fits */
  write(path: string, bytes: Uint8Array, modifiedMs: number, mode = 0o644): void {
    if (!this.isDirectory(parentOf(path))) throw new FileFailure('No such file or directory');
    if (this.isDirectory(path)) throw new FileFailure('Is a directory');
    const before = this.#entries.get(path);
    const bytesBefore = before?.kind === 'file' ? before.bytes.length : 0;
    const bytesAfter = this.#bytes - bytesBefore + bytes.length;
    if (bytesAfter > filesBytesMax || this.#entries.size >= filesMax)
      throw new FileFailure('No space left on device');
    this.#bytes = bytesAfter;
    this.#entries.set(path, { kind: 'file', mode, modifiedMs, bytes });
  }

  /** With all folders above it. @throws FileFailure when a file is in the way */
  makeDirectories(path: string, modifiedMs: number, mode = 0o755): void {
    if (path === '/') return;
    this.makeDirectories(parentOf(path), modifiedMs);
    const there = this.#entries.get(path);
    if (there?.kind === 'file') throw new FileFailure('Not a directory');
    if (this.#entries.size >= filesMax) throw new FileFailure('No space left on device');
    if (there === undefined) this.#entries.set(path, { kind: 'directory', mode, modifiedMs });
  }

  /** With all that is below it. */
  remove(path: string): void {
    for (const [name, entry] of this.#entries) {
      if (name === '/' || (name !== path && !name.startsWith(`${path}/`))) continue;
      if (entry.kind === 'file') this.#bytes -= entry.bytes.length;
      this.#entries.delete(name);
    }
  }
}

/** An absolute path without `.`, `..` and double slashes. */
export function resolvePath(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
