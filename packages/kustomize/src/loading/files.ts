/** The file system of a build, with POSIX paths. */

export interface KustomizeFiles {
  /**
   * Resolves symbolic links: to a directory, or to a file in a directory (`file` is not empty).
   * @throws Error if nothing exists there, in Go's words: `lstat /a/b: no such file or directory`
   */
  resolve(path: string): { readonly directory: string; readonly file: string };
  /** @throws Error if it cannot be read, in Go's words */
  read(path: string): Uint8Array;
  isDirectory(path: string): boolean;
  write(path: string, text: string): void;
}

/** `a/./b/../c` → `a/c`. */
export function cleanPath(path: string): string {
  const isAbsolute = path.startsWith('/');
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') kept.push(part);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (!isAbsolute) kept.push('..');
  }
  return (isAbsolute ? '/' : '') + kept.join('/') || '.';
}

export const joinPaths = (...parts: readonly string[]): string => {
  const given = parts.filter((part) => part !== '');
  return given.length === 0 ? '' : cleanPath(given.join('/'));
};

export const baseName = (path: string): string =>
  path === '/' ? '/' : (cleanPath(path).split('/').at(-1) as string);

/** Whether a directory equals the other or is inside it. */
export const isWithin = (directory: string, other: string): boolean =>
  other === '/' || directory === other || directory.startsWith(`${other}/`);
