/** A file error with Go's message: `open /x: no such file or directory`. */

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
  ENOTDIR: 'not a directory',
};

export function openError(operation: 'open' | 'stat', file: string, cause: unknown): Error {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  return new Error(`${operation} ${file}: ${reasons[code] ?? message}`, { cause });
}
