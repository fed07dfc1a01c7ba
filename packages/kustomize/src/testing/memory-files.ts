/** Files in memory for tests; directories are implied by the paths. */
import { cleanPath, type KustomizeFiles } from '../loading/files.ts';

export function memoryFiles(
  workingDirectory: string,
  texts: Readonly<Record<string, string>>,
): KustomizeFiles {
  const absolute = (path: string) => cleanPath(path.startsWith('/') ? path : `${workingDirectory}/${path}`);
  const files = new Map(Object.entries(texts).map(([path, text]) => [absolute(path), text]));
  const isDirectory = (path: string) =>
    absolute(path) === '/' || [...files.keys()].some((file) => file.startsWith(`${absolute(path)}/`));
  return {
    isDirectory,
    resolve(path) {
      const found = absolute(path);
      if (isDirectory(found)) return { directory: found, file: '' };
      const cut = found.lastIndexOf('/');
      if (files.has(found)) return { directory: found.slice(0, cut) || '/', file: found.slice(cut + 1) };
      throw new Error(`evalsymlink failure on '${path}' : ${missing(found)}`);
    },
    read(path) {
      const text = files.get(absolute(path));
      if (text === undefined) throw new Error(`open ${path}: no such file or directory`);
      return new TextEncoder().encode(text);
    },
    write: (path, text) => void files.set(absolute(path), text),
  };

  /** The first path component that does not exist. */
  function missing(path: string): string {
    const parts = path.split('/').slice(1);
    let at = '';
    for (const part of parts) {
      if (files.has(at)) return `lstat ${at}/${part}: not a directory`;
      at += `/${part}`;
      if (!files.has(at) && !isDirectory(at)) return `lstat ${at}: no such file or directory`;
    }
    return `lstat ${path}: no such file or directory`;
  }
}
