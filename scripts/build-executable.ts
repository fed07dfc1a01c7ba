/**
 * Makes `dist/executable/coxswain`: Node and the program in one file, which needs nothing else, and is kubectl,
 * kube-apiserver and so on where it is called by these names.
 *
 *     npm run build-executable                                        for this machine
 *     npm run build-executable -- --platform=darwin-arm64 --node=FILE for another one, with its Node of the same version
 *
 * Those for macOS have to be signed there: `codesign --sign - coxswain`.
 */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { nodeFlags } from 'coxswain/program/assets.ts';
import { nativeLmdb, writeProgramFiles } from './executable/program-files.ts';
import { archiveOf } from './packs/archive.ts';

const here = `${process.platform}-${process.arch}`;
const { platform, node } = parseArgs({
  options: {
    platform: { type: 'string', default: here },
    node: { type: 'string', default: process.execPath },
  },
}).values;
if (platform !== here && node === process.execPath) throw new Error(`--node=FILE: the Node for ${platform}`);

const root = path.join(import.meta.dirname, '..');
const out = path.join(root, 'dist/executable');
const work = path.join(out, `${platform}.work`);
const ending = platform.startsWith('win32') ? '.exe' : '';
const executable = path.join(out, `coxswain${platform === here ? '' : `-${platform}`}${ending}`);

await mkdir(out, { recursive: true });
await writeProgramFiles(path.join(work, 'files'), platform);
if (platform.startsWith('linux')) strip(path.join(work, 'files', nativeLmdb(platform)));
const archive = await archiveOf(path.join(work, 'files'), { before: byLikeness });
const packed = compressed(archive);
await writeFile(path.join(work, 'files.br'), packed);
await writeFile(path.join(work, 'id'), createHash('sha256').update(packed).digest('hex').slice(0, 16));
await cp(node, path.join(work, 'node'));
await chmod(path.join(work, 'node'), 0o755);
if (platform.startsWith('linux')) strip(path.join(work, 'node'));
const configuration = {
  main: path.join(import.meta.dirname, 'executable/start.cjs'),
  output: executable,
  executable: path.join(work, 'node'),
  disableExperimentalSEAWarning: true,
  execArgv: nodeFlags,
  execArgvExtension: 'none',
  assets: { files: path.join(work, 'files.br'), id: path.join(work, 'id') },
};
await writeFile(path.join(work, 'sea.json'), JSON.stringify(configuration));
execFileSync(process.execPath, ['--build-sea', path.join(work, 'sea.json')], { stdio: 'inherit' });
await rm(work, { recursive: true });
const { size } = await stat(executable);
console.log(`${path.relative(root, executable)}: ${(size / 1_000_000).toFixed(1)} MB`);

/** Code of the program beside that of the page with the same name, and other files beside those of their kind. */
function byLikeness(a: string, b: string): number {
  const [one, other] = [a, b].map((name) => {
    const kind = /\.m?js$/.test(name) ? '.js' : path.extname(name);
    return `${kind}/${path.basename(name)}/${name}`;
  }) as [string, string];
  return one < other ? -1 : one > other ? 1 : 0;
}

function compressed(archive: Buffer): Buffer {
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: archive.length,
  };
  return brotliCompressSync(archive, { params });
}

/** Debug symbols make up a fifth of Node and most of LMDB. */
function strip(file: string): void {
  try {
    execFileSync(platform === 'linux-arm64' && platform !== here ? 'aarch64-linux-gnu-strip' : 'strip', [
      '--strip-all',
      file,
    ]);
  } catch {
    console.warn('binutils are missing: the executable is larger by a fifth');
  }
}
