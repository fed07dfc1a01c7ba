/** The files of this machine. */
import { systemMessage } from '@coxswain/apimachinery/system-message.ts';
import { lstatSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { baseName, type KustomizeFiles } from './files.ts';

/** More symbolic links than this on a path count as a loop. */
const linksMax = 255;

export function diskFiles(workingDirectory: string): KustomizeFiles {
  const absolute = (path: string) => (isAbsolute(path) ? path : join(workingDirectory, path));
  const isDirectory = (path: string) =>
    statSync(absolute(path), { throwIfNoEntry: false })?.isDirectory() ?? false;
  return {
    isDirectory,
    resolve(path) {
      const found = followLinks(resolve(workingDirectory, path), path);
      if (isDirectory(found)) return { directory: found, file: '' };
      return { directory: dirname(found), file: baseName(found) };
    },
    read: (path) => inGoWords('open', path, () => readFileSync(absolute(path))),
    write: (path, text) => inGoWords('open', path, () => writeFileSync(absolute(path), text)),
  };
}

function followLinks(path: string, asGiven: string): string {
  let links = 0;
  const pending = path.split('/').filter((part) => part !== '');
  let found = '';
  for (let part = pending.shift(); part !== undefined; part = pending.shift()) {
    if (part === '..') {
      found = found === '' ? '' : dirname(found).replace(/^\/$/, '');
      continue;
    }
    const next = `${found}/${part}`;
    const facts = lstat(next, asGiven);
    if (!facts.isSymbolicLink()) {
      if (pending.length > 0 && !facts.isDirectory()) {
        throw new Error(
          `evalsymlink failure on '${asGiven}' : ${notADirectory(`${next}/${pending[0] as string}`)}`,
        );
      }
      found = next;
      continue;
    }
    if (++links > linksMax)
      throw new Error(`evalsymlink failure on '${asGiven}' : EvalSymlinks: too many links`);
    const target = readlinkSync(next);
    if (target.startsWith('/')) found = '';
    pending.unshift(...target.split('/').filter((one) => one !== '' && one !== '.'));
  }
  return found === '' ? '/' : found;
}

const notADirectory = (path: string): string => `lstat ${path}: not a directory`;

function lstat(path: string, asGiven: string) {
  try {
    return lstatSync(path);
  } catch (failure) {
    throw new Error(`evalsymlink failure on '${asGiven}' : lstat ${path}: ${systemMessage(failure)}`, {
      cause: failure,
    });
  }
}

function inGoWords<T>(operation: string, path: string, body: () => T): T {
  try {
    return body();
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    throw new Error(
      `${code === 'EISDIR' && operation === 'open' ? 'read' : operation} ${path}: ${systemMessage(failure)}`,
      { cause: failure },
    );
  }
}
