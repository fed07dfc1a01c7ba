/** The sources of manifests: files, directories, patterns, standard input, URLs. */
import fs, { stat, readdir, readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

/** The files of a directory that are read. */
const manifestExtensions: readonly string[] = ['.json', '.yaml', '.yml'];

export interface ManifestSource {
  /** The name in errors. */
  readonly name: string;
  read(): Promise<string>;
}

export interface FoundSources {
  readonly sources: readonly ManifestSource[];
  readonly failures: readonly Error[];
  /** Whether a single file was named, so that its object is a single item. */
  readonly single: boolean;
}

export interface FileEnvironment {
  readonly workingDirectory: string;
  /** Contains proxy settings. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  stdin(): Promise<string>;
}

export async function findManifests(
  filenames: readonly string[],
  recursive: boolean,
  environment: FileEnvironment,
): Promise<FoundSources> {
  const sources: ManifestSource[] = [];
  const failures: Error[] = [];
  let single = filenames.length === 1;
  for (const filename of filenames) {
    if (filename === '-') {
      sources.push({ name: 'STDIN', read: () => environment.stdin() });
      single = false;
    } else if (/^https?:\/\//.test(filename)) {
      sources.push({ name: filename, read: () => readFromUrl(filename, environment) });
    } else {
      try {
        const found = await findFiles(filename, recursive, environment.workingDirectory);
        sources.push(...found.map((path) => fileSource(path, environment.workingDirectory)));
        if (found.length !== 1) single = false;
      } catch (failure) {
        failures.push(failure as Error);
      }
    }
  }
  return { sources, failures, single };
}

/** HTTP code is loaded only for URLs. */
async function readFromUrl(url: string, { env = {} }: FileEnvironment): Promise<string> {
  const { readUrl } = await import('./read-url.ts');
  return readUrl(url, env);
}

const fileSource = (path: string, workingDirectory: string): ManifestSource => ({
  name: path,
  read: () => readFile(isAbsolute(path) ? path : join(workingDirectory, path), 'utf8'),
});

async function findFiles(filename: string, recursive: boolean, workingDirectory: string): Promise<string[]> {
  const absolute = isAbsolute(filename) ? filename : join(workingDirectory, filename);
  const facts = await stat(absolute).catch(() => undefined);
  if (facts === undefined) {
    const matches = await filesLike(filename, workingDirectory);
    if (matches.length === 0) throw new Error(`the path "${filename}" does not exist`);
    const found = await Promise.all(
      matches.sort().map((match) => findFiles(match, recursive, workingDirectory)),
    );
    return found.flat();
  }
  if (!facts.isDirectory()) return [filename];
  const found = await filesBelow(filename, absolute, recursive);
  if (found.length === 0) {
    throw new Error(
      `error reading [${filename}]: recognized file extensions are [${manifestExtensions.join(' ')}]`,
    );
  }
  return found;
}

/** Node 20 doesn't support glob patterns, but shells do. */
const filesLike = async (pattern: string, cwd: string): Promise<string[]> =>
  fs.glob === undefined ? [] : Array.fromAsync(fs.glob(pattern, { cwd }));

async function filesBelow(name: string, absolute: string, recursive: boolean): Promise<string[]> {
  const entries = await readdir(absolute, { withFileTypes: true });
  const sorted = entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const found: string[] = [];
  for (const entry of sorted) {
    const path = join(name, entry.name);
    if (entry.isDirectory()) {
      if (recursive) found.push(...(await filesBelow(path, join(absolute, entry.name), true)));
    } else if (manifestExtensions.some((extension) => entry.name.endsWith(extension))) found.push(path);
  }
  return found;
}
