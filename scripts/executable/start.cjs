// Entry of the single executable. The program lies in it as one compressed asset: the first start writes its files below the
// user's cache, where all later ones find them, and where Node keeps what it has compiled of them.
'use strict';

const { chmodSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const os = require('node:os');
const path = require('node:path');
const process = require('node:process');
const sea = require('node:sea');
const zlib = require('node:zlib');

const name = `coxswain-${sea.getAsset('id', 'utf8')}`;

/** In the order in which they are tried; the last one is in a directory that others can write to. */
function places() {
  const { XDG_CACHE_HOME: cache, LOCALAPPDATA: local } = process.env;
  const own = process.platform === 'win32' ? local : cache || path.join(os.homedir(), '.cache');
  const user = process.getuid?.() ?? os.userInfo().username;
  return [
    ...(own ? [path.join(own, 'coxswain', name)] : []),
    path.join(os.tmpdir(), `coxswain-${user}`, name),
  ];
}

/** The directory with the files of this version: where a package of an operating system or an image has put them, or a cache. */
function unpacked() {
  const installed = path.join(path.dirname(process.execPath), '../lib/coxswain', name);
  if (existsSync(installed)) return installed;
  const failures = [];
  for (const directory of places()) {
    try {
      mkdirSync(path.dirname(directory), { recursive: true, mode: 0o700 });
      mustBeOwn(path.dirname(directory));
      if (!existsSync(directory)) unpackInto(directory);
      return directory;
    } catch (failure) {
      failures.push(failure.message);
    }
  }
  console.error(
    `coxswain: cannot unpack its files: ${failures.join('; ')}. Set XDG_CACHE_HOME to a directory of your own.`,
  );
  process.exit(1);
}

/** Anyone who can write there could run code as this user. */
function mustBeOwn(directory) {
  const uid = process.getuid?.();
  if (uid === undefined) return;
  const status = lstatSync(directory);
  if (!status.isDirectory() || status.uid !== uid) throw new Error(`${directory} belongs to another user`);
  if ((status.mode & 0o022) !== 0) chmodSync(directory, 0o700);
}

/** Complete or not at all, whoever does the same at the same time. */
function unpackInto(directory) {
  const beside = `${directory}.${process.pid}`;
  const bytes = zlib.brotliDecompressSync(Buffer.from(sea.getRawAsset('files')));
  const end = bytes.indexOf(10);
  for (const [file, [start, length]] of Object.entries(JSON.parse(bytes.subarray(0, end).toString()))) {
    const target = path.join(beside, file);
    mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    writeFileSync(target, bytes.subarray(end + 1 + start, end + 1 + start + length));
  }
  try {
    renameSync(beside, directory);
  } catch (failure) {
    rmSync(beside, { recursive: true, force: true });
    if (!existsSync(directory)) throw failure;
  }
}

const main = path.join(unpacked(), 'lib/main.mjs');
const calledAs = path.basename(process.argv0).replace(/\.exe$/i, '');
void createRequire(main)(main).runMain(process.argv.slice(2), calledAs);
