/** The file system of one simulated container, in memory. */

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

interface Attributes extends Owner {
  readonly mode: number;
  readonly modifiedMs: number;
}

export type Entry =
  | (Attributes & { readonly kind: 'directory' })
  | (Attributes & { readonly kind: 'file'; readonly bytes: Uint8Array });

/** The files of a directory with this bit belong to the directory's group. */
const setGroupBit = 0o2000;

/** The maximum size of all files in a container. */
const filesBytesMax = 64 * 1024 * 1024;

/** The maximum number of files. */
export const filesMax = 10_000;

/** A failure with the C library's message, as commands print it. */
export class FileFailure extends Error {}

export class ContainerFiles {
  readonly #entries: Map<string, Entry>;
  readonly #mounts: { readonly path: string; readonly files: ContainerFiles; readonly directory: string }[] =
    [];
  #bytes = 0;
  /** Whom new files belong to. */
  creator: Owner = { uid: 0, gid: 0 };

  constructor(nowMs = 0) {
    const root: Entry = { kind: 'directory', mode: 0o755, modifiedMs: nowMs, uid: 0, gid: 0 };
    this.#entries = new Map([['/', root]]);
  }

  /** Mounts `directory` of other files at `path`; writes below it go to those files. */
  mount(path: string, files: ContainerFiles, directory: string, modifiedMs: number): void {
    this.makeDirectories(path, modifiedMs);
    files.makeDirectories(directory, modifiedMs);
    this.#mounts.push({ path, files, directory });
    // Innermost mounts first.
    this.#mounts.sort((a, b) => b.path.length - a.path.length);
  }

  entry(path: string): Entry | undefined {
    const there = this.#elsewhere(path);
    return there === undefined ? this.#entries.get(path) : there.files.entry(there.path);
  }

  isDirectory(path: string): boolean {
    return this.entry(path)?.kind === 'directory';
  }

  /** @throws FileFailure */
  read(path: string): Uint8Array {
    const entry = this.entry(path);
    if (entry === undefined) throw new FileFailure('No such file or directory');
    if (entry.kind === 'directory') throw new FileFailure('Is a directory');
    return entry.bytes;
  }

  /** Names in sorted order. @throws FileFailure */
  list(path: string): readonly string[] {
    const there = this.#elsewhere(path);
    if (there !== undefined) return there.files.list(there.path);
    if (!this.isDirectory(path))
      throw new FileFailure(this.#entries.has(path) ? 'Not a directory' : 'No such file or directory');
    const prefix = path === '/' ? '/' : `${path}/`;
    const names = [...this.#entries.keys()]
      .filter((name) => name !== '/' && name.startsWith(prefix) && !name.slice(prefix.length).includes('/'))
      .map((name) => name.slice(prefix.length));
    return names.sort();
  }

  /** @throws FileFailure if the directory does not exist or the space is used up */
  write(path: string, bytes: Uint8Array, modifiedMs: number, mode = 0o644, creator = this.creator): void {
    const there = this.#elsewhere(path);
    if (there !== undefined) return there.files.write(there.path, bytes, modifiedMs, mode, creator);
    if (!this.isDirectory(parentOf(path))) throw new FileFailure('No such file or directory');
    if (this.isDirectory(path)) throw new FileFailure('Is a directory');
    const before = this.#entries.get(path);
    const bytesBefore = before?.kind === 'file' ? before.bytes.length : 0;
    const bytesAfter = this.#bytes - bytesBefore + bytes.length;
    if (bytesAfter > filesBytesMax || this.#entries.size >= filesMax)
      throw new FileFailure('No space left on device');
    this.#bytes = bytesAfter;
    const { uid, gid } = before ?? this.#ownerIn(parentOf(path), creator);
    this.#entries.set(path, { kind: 'file', mode, modifiedMs, bytes, uid, gid });
  }

  /** @throws FileFailure */
  append(path: string, bytes: Uint8Array, modifiedMs: number): void {
    const entry = this.entry(path);
    const before = entry?.kind === 'file' ? entry.bytes : new Uint8Array(0);
    this.write(path, appended(before, bytes), modifiedMs, entry?.mode);
  }

  /** Creates a directory and its parents. @throws FileFailure if a file is in the way */
  makeDirectories(path: string, modifiedMs: number, mode = 0o755, creator = this.creator): void {
    if (path === '/') return;
    const elsewhere = this.#elsewhere(path);
    if (elsewhere !== undefined)
      return elsewhere.files.makeDirectories(elsewhere.path, modifiedMs, mode, creator);
    this.makeDirectories(parentOf(path), modifiedMs, undefined, creator);
    const there = this.#entries.get(path);
    if (there?.kind === 'file') throw new FileFailure('Not a directory');
    if (this.#entries.size >= filesMax) throw new FileFailure('No space left on device');
    if (there !== undefined) return;
    const owner = this.#ownerIn(parentOf(path), creator);
    this.#entries.set(path, { kind: 'directory', mode, modifiedMs, ...owner });
  }

  /** Changes the mode or the owner of what is there. @throws FileFailure */
  change(path: string, change: Partial<Owner & { readonly mode: number }>): void {
    const there = this.#elsewhere(path);
    if (there !== undefined) return there.files.change(there.path, change);
    const entry = this.#entries.get(path);
    if (entry === undefined) throw new FileFailure('No such file or directory');
    this.#entries.set(path, { ...entry, ...change });
  }

  #ownerIn(directory: string, { uid, gid }: Owner): Owner {
    const parent = this.#entries.get(directory);
    return { uid, gid: parent !== undefined && (parent.mode & setGroupBit) !== 0 ? parent.gid : gid };
  }

  /** Removes a directory with its contents, except mounts. */
  remove(path: string): void {
    const there = this.#elsewhere(path);
    if (there !== undefined && there.path !== there.directory) return there.files.remove(there.path);
    const isMount = (name: string) => this.#mounts.some((mount) => mount.path === name);
    for (const [name, entry] of this.#entries) {
      if (name === '/' || (name !== path && !name.startsWith(`${path}/`)) || isMount(name)) continue;
      if (entry.kind === 'file') this.#bytes -= entry.bytes.length;
      this.#entries.delete(name);
    }
  }

  /** Resolves a path below a mount. */
  #elsewhere(path: string) {
    for (const { path: at, files, directory } of this.#mounts) {
      if (path !== at && !path.startsWith(`${at}/`)) continue;
      return { files, directory, path: resolvePath(directory, `./${path.slice(at.length)}`) };
    }
    return undefined;
  }
}

/** How much of a buffer is used that has room for more. */
const usedBytes = new WeakMap<ArrayBufferLike, number>();

/** Buffers double, so that many small writes take linear time. Content that others hold never changes. */
function appended(before: Uint8Array, bytes: Uint8Array): Uint8Array {
  const length = before.length + bytes.length;
  const hasRoom = usedBytes.get(before.buffer) === before.length && length <= before.buffer.byteLength;
  const buffer = hasRoom
    ? before.buffer
    : new ArrayBuffer(Math.max(length, Math.min(2 * before.length, filesBytesMax)));
  const all = new Uint8Array(buffer, 0, length);
  if (!hasRoom) all.set(before);
  all.set(bytes, before.length);
  usedBytes.set(buffer, length);
  return all;
}

/** Returns an absolute path without `.`, `..` and double slashes. */
export function resolvePath(directory: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${directory}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
