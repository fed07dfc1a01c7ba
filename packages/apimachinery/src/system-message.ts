/** The operating system's error messages in Go's words. */

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

/** The system's own message if Go's is unknown. */
export function systemMessage(failure: unknown): string {
  const { code = '', message } = failure as { readonly code?: string; readonly message?: string };
  return words[code] ?? message ?? String(failure);
}
