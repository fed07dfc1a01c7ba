/** Reads the files of one directory, and leads to the loaders of others. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { baseName, cleanPath, isWithin, joinPaths, type KustomizeFiles } from './files.ts';
import { isGitRepository, isRemoteFile } from './remote.ts';

export interface LoaderOptions {
  /** Files outside the directory may be read too. */
  readonly unrestricted: boolean;
}

export class Loader {
  /** Absolute, without links. */
  readonly root: string;
  readonly #files: KustomizeFiles;
  readonly #options: LoaderOptions;
  readonly #referrer: Loader | undefined;

  private constructor(root: string, files: KustomizeFiles, options: LoaderOptions, referrer?: Loader) {
    this.root = root;
    this.#files = files;
    this.#options = options;
    this.#referrer = referrer;
  }

  /** @throws Error when the path isn't a directory of this machine */
  static at(path: string, files: KustomizeFiles, options: LoaderOptions): Loader {
    if (isGitRepository(path)) throw new Error(remoteRefused(path));
    return new Loader(confirmDirectory(files, path), files, options);
  }

  /** A loader for another directory, given relative to this. @throws Error also for a circle */
  to(path: string): Loader {
    if (path === '') throw new Error('new root cannot be empty');
    if (isGitRepository(path)) throw new Error(remoteRefused(path));
    if (path.startsWith('/')) throw new Error(`new root '${path}' cannot be absolute`);
    const root = confirmDirectory(this.#files, joinPaths(this.root, path));
    this.#refuseCircle(root);
    return new Loader(root, this.#files, this.#options, this);
  }

  #refuseCircle(root: string): void {
    if (isWithin(this.root, root)) {
      throw new Error(`cycle detected: candidate root '${root}' contains visited root '${this.root}'`);
    }
    if (this.#referrer !== undefined) this.#referrer.#refuseCircle(root);
  }

  loadText(path: string): string {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.load(path));
  }

  load(path: string): Uint8Array {
    if (isRemoteFile(path)) throw new Error(remoteRefused(path));
    const absolute = path.startsWith('/') ? path : joinPaths(this.root, path);
    return this.#files.read(this.#options.unrestricted ? absolute : this.#restricted(absolute));
  }

  #restricted(path: string): string {
    const { directory, file } = this.#files.resolve(path);
    if (file === '') throw new Error(`'${path}' must resolve to a file`);
    if (!isWithin(directory, this.root)) {
      throw new Error(`security; file '${path}' is not in or below '${this.root}'`);
    }
    return joinPaths(directory, file);
  }

  /** The last part of the directory's path. */
  get name(): string {
    return baseName(this.root);
  }
}

const remoteRefused = (path: string): string =>
  `'${path}' is on another machine: remote resources are not supported, fetch them first and name the local path`;

function confirmDirectory(files: KustomizeFiles, path: string): string {
  const prefix = 'must build at directory';
  if (path === '') throw new Error(`${prefix}: directory path cannot be empty`);
  let found: { directory: string; file: string };
  try {
    found = files.resolve(path);
  } catch (failure) {
    throw new Error(`${prefix}: not a valid directory: ${messageOf(failure)}`, { cause: failure });
  }
  if (found.file !== '') throw new Error(`${prefix}: '${path}': file is not directory`);
  return cleanPath(found.directory);
}
