/** The program as files in a directory, with all that it needs of npm inside, for those who have neither npm nor Node. */

import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { bundleProgram } from '../packs/program.ts';
import { withNode } from '../packs/sbom.ts';

const root = path.join(import.meta.dirname, '../..');

/** @param platform as Node names it: `linux-x64`. The bundle of descriptions must have been built (`npm run build`) */
export async function writeProgramFiles(directory: string, platform: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  const lib = path.join(directory, 'lib');
  await bundleProgram(lib, { external: /^msgpackr-extract/, mangle: true });
  // The sources shown beside steps would be a fiftieth of it; the npm package has them, and records functions.
  for (const file of ['sources.json.br', 'functions.mjs', 'functions.mjs.map.gz'])
    await rm(path.join(lib, file), { force: true });
  await cp(path.join(root, 'dist/descriptions.json'), path.join(lib, 'descriptions.json'));
  await cp(path.join(root, 'dist/npm/lib/beginnings'), path.join(lib, 'beginnings'), { recursive: true });
  await cp(path.join(root, 'dist/ui'), path.join(lib, 'ui'), { recursive: true });
  await uncompress(lib);
  for (const file of ['LICENSE', 'dist/npm/THIRD-PARTY.md'])
    await cp(path.join(root, file), path.join(directory, path.basename(file)));
  // The executable for another platform contains the same version of Node, under the same license.
  await cp(path.join(path.dirname(process.execPath), '../LICENSE'), path.join(directory, 'LICENSE-NODE'));
  const packaged = await readFile(path.join(root, 'dist/npm/sbom.cdx.json'), 'utf8');
  await writeFile(path.join(directory, 'sbom.cdx.json'), withNode(packaged, process.versions));
  await addNativeLmdb(directory, platform);
}

/** Compressed as one, maps share what they have in common, and the page's kubectl much with the program's. */
async function uncompress(lib: string): Promise<void> {
  for (const name of await readdir(lib, { recursive: true })) {
    const file = path.join(lib, name);
    if (name.endsWith('.map.gz')) {
      const map = gunzipSync(await readFile(file));
      // No step has its place in the code of others. Readers accept a map without compression.
      if (isOfOthers(map)) await rm(file);
      else await writeFile(file, gzipSync(map, { level: 0 }));
    }
    if (!name.startsWith('ui') || !name.endsWith('.br')) continue;
    await writeFile(file.slice(0, -'.br'.length), brotliDecompressSync(await readFile(file)));
    await rm(file);
  }
}

const isOfOthers = (map: Buffer): boolean =>
  (JSON.parse(map.toString()) as { readonly sources: readonly string[] }).sources.every((source) =>
    source.startsWith('node_modules/'),
  );

/** Its path in the directory. */
export const nativeLmdb = (platform: string): string => path.join(packageOf(platform), fileOf(platform));

const packageOf = (platform: string): string => `node_modules/@lmdb/lmdb-${platform}`;
const fileOf = (platform: string): string =>
  platform.startsWith('linux') ? 'node.napi.glibc.node' : 'node.napi.node';

/** On-disk storage has a native part, which npm provides for each platform. */
async function addNativeLmdb(directory: string, platform: string): Promise<void> {
  const name = `@lmdb/lmdb-${platform}`;
  const file = fileOf(platform);
  const { optionalDependencies } = JSON.parse(
    await readFile(path.join(root, 'node_modules/lmdb/package.json'), 'utf8'),
  ) as { readonly optionalDependencies: Readonly<Record<string, string>> };
  const version = optionalDependencies[name];
  if (version === undefined) throw new Error(`lmdb has nothing for ${platform}`);
  const target = path.join(directory, packageOf(platform));
  await mkdir(target, { recursive: true });
  await writeFile(path.join(target, 'package.json'), JSON.stringify({ name, version }));
  const installed = path.join(root, 'node_modules', name, file);
  try {
    await cp(installed, path.join(target, file));
  } catch {
    await downloaded(`${name}@${version}`, (from) => cp(path.join(from, file), path.join(target, file)));
  }
}

/** Downloads a package that npm would not install here because it is for another platform. */
export async function downloaded<T>(spec: string, use: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'coxswain-download-'));
  try {
    const pack = ['pack', spec, '--silent', `--pack-destination=${directory}`];
    const archive = execFileSync('npm', pack, { encoding: 'utf8' }).trim();
    execFileSync('tar', ['-xzf', path.join(directory, archive), '-C', directory]);
    return await use(path.join(directory, 'package'));
  } finally {
    await rm(directory, { recursive: true });
  }
}
