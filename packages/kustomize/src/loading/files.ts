/** The files that a build reads; paths are as in POSIX. */

export interface KustomizeFiles {
  /**
   * Where a path leads once links are followed: to a directory, or to a file in one (`file` not empty).
   * @throws Error when nothing is there, in Go's words: `lstat /a/b: no such file or directory`
   */
  resolve(path: string): { readonly directory: string; readonly file: string };
  /** @throws Error when it can't be read, in Go's words */
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

/** Whether a directory is the other, or in it. */
export const isWithin = (directory: string, other: string): boolean =>
  other === '/' || directory === other || directory.startsWith(`${other}/`);
