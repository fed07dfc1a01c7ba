/** `find` in a simulated container: filters by depth, name and type; prints or deletes. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { FileFailure, resolvePath } from './container-files.ts';
import { patternMatcher } from './shell-patterns.ts';
import { complain, print, type SimulatedProcess } from './simulated-process.ts';

interface Search {
  readonly paths: readonly string[];
  readonly depthMin: number;
  readonly depthMax: number;
  readonly deletes: boolean;
  readonly matches: (name: string, kind: 'file' | 'directory') => boolean;
}

export async function find(process: SimulatedProcess): Promise<number> {
  let search: Search;
  try {
    search = readSearch(process.argv.slice(1));
  } catch (error) {
    return complain(process, messageOf(error));
  }
  let code = 0;
  for (const path of search.paths) {
    const full = resolvePath(process.place.directory, path);
    if (process.files.entry(full) === undefined) {
      code = await complain(process, `${path}: No such file or directory`);
      continue;
    }
    for (const found of below(process, search, full, path, 0)) {
      if (!search.deletes) await print(process.stdout, `${found}\n`);
      else process.files.remove(resolvePath(process.place.directory, found));
    }
  }
  return code;
}

/** Before a deletion, contents come before their directory. */
function below(
  process: SimulatedProcess,
  search: Search,
  full: string,
  shown: string,
  depth: number,
): string[] {
  const kind = process.files.entry(full)?.kind;
  if (kind === undefined) return [];
  const isFound =
    depth >= search.depthMin &&
    search.matches(shown.split('/').findLast((part) => part !== '') ?? shown, kind);
  const names = kind === 'directory' && depth < search.depthMax ? process.files.list(full) : [];
  const inside = names.flatMap((name) =>
    below(process, search, resolvePath(full, name), `${shown.replace(/\/$/, '')}/${name}`, depth + 1),
  );
  const self = isFound ? [shown] : [];
  return search.deletes ? [...inside, ...self] : [...self, ...inside];
}

/** @throws FileFailure for an unknown predicate */
function readSearch(words: readonly string[]): Search {
  const first = words.findIndex((word) => word.startsWith('-'));
  const paths = words.slice(0, first < 0 ? words.length : first);
  const rest = first < 0 ? [] : words.slice(first);
  const tests: Search['matches'][] = [];
  let [depthMin, depthMax, deletes] = [0, Infinity, false];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '-delete') deletes = true;
    else if (word === '-mindepth') depthMin = Number(rest.shift());
    else if (word === '-maxdepth') depthMax = Number(rest.shift());
    else if (word === '-name') tests.push(patternMatcher(rest.shift() ?? ''));
    else if (word === '-type') tests.push(ofKind(rest.shift() ?? ''));
    else if (word !== '-print' && word !== '-depth') throw new FileFailure(`unrecognized: ${word}`);
  }
  return {
    paths: paths.length === 0 ? ['.'] : paths,
    depthMin,
    depthMax,
    deletes,
    matches: (name, kind) => tests.every((fits) => fits(name, kind)),
  };
}

const ofKind =
  (letter: string): Search['matches'] =>
  (_name, kind) =>
    letter === (kind === 'directory' ? 'd' : 'f');
