/** Reads the files of one directory, and creates loaders for others. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { baseName, cleanPath, isWithin, joinPaths, type KustomizeFiles } from './files.ts';
import { isGitRepository, isRemoteFile } from './remote.ts';

export interface LoaderOptions {
  /** Whether files outside the directory may be read. */
  readonly unrestricted: boolean;
}

export class Loader {
  /** Absolute, without symbolic links. */
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

  /** @throws Error if the path is not a local directory */
  static at(path: string, files: KustomizeFiles, options: LoaderOptions): Loader {
    if (isGitRepository(path)) throw new Error(remoteRefused(path));
    return new Loader(confirmDirectory(files, path), files, options);
  }

  /** A loader for another directory, relative to this one. @throws Error also for a cycle */
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

  /** The last component of the directory's path. */
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
