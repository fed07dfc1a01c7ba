/** The files that a cluster's kubectl sees: in memory, in a directory per cluster. */

import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ClusterFiles } from '../../types/browser.d.ts';

const known = new WeakMap<object, ClusterFiles>();
let count = 0;

export function filesOf(cluster: object): ClusterFiles {
  const files = known.get(cluster) ?? filesIn(`/clusters/${++count}`);
  known.set(cluster, files);
  return files;
}

function filesIn(directory: string): ClusterFiles {
  mkdirSync(join(directory, '.kube'), { recursive: true });
  const placeOf = (path: string): string => {
    const place = resolve(directory, path);
    if (place !== directory && !place.startsWith(`${directory}/`))
      throw new Error(`${path} is not in the files of the cluster`);
    return place;
  };
  return {
    directory,
    list: () =>
      (readdirSync(directory, { recursive: true, withFileTypes: true }) as unknown as FoundFile[])
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, String(entry.name)).slice(directory.length + 1)),
    read: (path) => readFileSync(placeOf(path), 'utf8'),
    write(path, text) {
      mkdirSync(dirname(placeOf(path)), { recursive: true });
      writeFileSync(placeOf(path), text);
    },
    remove: (path) => rmSync(placeOf(path), { recursive: true, force: true }),
  };
}

interface FoundFile {
  readonly name: string;
  readonly parentPath: string;
  isFile(): boolean;
}
