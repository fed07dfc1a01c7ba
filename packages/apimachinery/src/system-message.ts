/** What the operating system says of a failure, in the words of Go. */

const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'file exists',
  EISDIR: 'is a directory',
  ELOOP: 'too many levels of symbolic links',
  ENAMETOOLONG: 'file name too long',
  ENOENT: 'no such file or directory',
  ENOSPC: 'no space left on device',
  ENOTDIR: 'not a directory',
};

/** Its own words where Go's are not known. */
export function systemMessage(failure: unknown): string {
  const { code = '', message } = failure as { readonly code?: string; readonly message?: string };
  return words[code] ?? message ?? String(failure);
}
