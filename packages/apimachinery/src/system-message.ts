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

/** Why a file could not be read: `open web.yaml: no such file or directory`. */
export function readFailureText(file: string, failure: unknown): string {
  // A directory can be opened, but not read.
  const verb = (failure as { readonly code?: string }).code === 'EISDIR' ? 'read' : 'open';
  return `${verb} ${file}: ${systemMessage(failure)}`;
}

/** The system's own message if Go's is unknown. */
export function systemMessage(failure: unknown): string {
  const { code = '', message } = failure as { readonly code?: string; readonly message?: string };
  return words[code] ?? message ?? String(failure);
}
