// The bytecode of modules, kept in the user's cache as Node keeps that of files: what has run in one process, the next one need
// not compile. The file: a line of JSON, then the bytecode of one module after another. V8 trusts what it is given: a file that
// another engine wrote, or of which a bit has changed, would crash it.
'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const process = require('node:process');
const v8 = require('node:v8');
const zlib = require('node:zlib');

/** Processes that add what they ran of the same modules and others did not; after them, what is common is there. */
const roundsMax = 5;
/** Programs have started then; later, V8 forgets what ran at the start only. */
const keepAfterMs = 5000;
/** Other versions' files, without an addition for so long, are deleted. */
const keptMsMax = 30 * 24 * 3600 * 1000;

/** @param use such as `kubectl` @param identity of the sources: V8 would compare their length alone */
function keptCode(use, identity) {
  const file = path.join(cacheDirectory(), `${use}-${identity}-${engine()}`);
  const kept = isOff() ? undefined : readOwn(file);
  const scripts = new Map();
  if (kept !== undefined) {
    whenItHasRun(() => {
      const isNew = [...scripts.keys()].some((module) => !kept.modules.has(module));
      const rounds = isNew ? 0 : kept.rounds + 1;
      if (rounds <= roundsMax) write(file, rounds, kept.modules, scripts);
    });
  }
  return {
    of: (module) => kept?.modules.get(module),
    ran: (module, script) => void scripts.set(module, script),
  };
}

/** Node has checksums from 20.15 on. */
const isOff = () => process.env.NODE_DISABLE_COMPILE_CACHE === '1' || zlib.crc32 === undefined;

/** As Node's own cache is named: releases of one line share V8's tag, and crash on the bytecode of one another. */
const engine = () => `${process.version}-${process.arch}-${v8.cachedDataVersionTag().toString(16)}`;

function cacheDirectory() {
  const { XDG_CACHE_HOME: cache, LOCALAPPDATA: local } = process.env;
  const own = process.platform === 'win32' ? local : cache;
  return path.join(own || path.join(os.homedir(), '.cache'), 'coxswain', 'code');
}

/** Empty where there is none yet; undefined for what is not the user's own, since whoever wrote it runs as this user. */
function readOwn(file) {
  let bytes;
  try {
    const descriptor = fs.openSync(file, 'r');
    try {
      const { uid, mode } = fs.fstatSync(descriptor);
      if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0))
        return undefined;
      bytes = fs.readFileSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return { rounds: 0, modules: new Map() };
  }
  return decoded(bytes) ?? { rounds: 0, modules: new Map() };
}

function decoded(bytes) {
  const end = bytes.indexOf(10);
  try {
    const { rounds, lengths, checksum } = JSON.parse(bytes.latin1Slice(0, Math.max(end, 0)));
    if (zlib.crc32(bytes.subarray(end + 1)) !== checksum) return undefined;
    const modules = new Map();
    let at = end + 1;
    for (const [name, length] of lengths) {
      modules.set(name, bytes.subarray(at, at + length));
      at += length;
    }
    return at === bytes.length ? { rounds, modules } : undefined;
  } catch {
    return undefined;
  }
}

/** Once, when programs have started or at the end of those that end before. */
function whenItHasRun(keep) {
  const once = () => {
    clearTimeout(timer);
    process.off('exit', once);
    keep();
  };
  const timer = setTimeout(once, keepAfterMs);
  timer.unref();
  process.once('exit', once);
}

/** Complete or not at all. Nothing depends on it: a directory that can't be written is left alone. */
function write(file, rounds, modules, scripts) {
  const beside = `${file}.${process.pid}.${process.hrtime.bigint()}`;
  try {
    const all = new Map(modules);
    for (const [name, script] of scripts) all.set(name, script.createCachedData());
    const lengths = [...all].map(([name, { length }]) => [name, length]);
    const checksum = [...all.values()].reduce((sum, code) => zlib.crc32(code, sum), 0);
    const head = Buffer.from(`${JSON.stringify({ rounds, lengths, checksum })}\n`, 'latin1');
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const descriptor = fs.openSync(beside, 'wx', 0o600);
    try {
      fs.writevSync(descriptor, [head, ...all.values()]);
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    fs.renameSync(beside, file);
    deleteOld(path.dirname(file));
  } catch {
    fs.rmSync(beside, { force: true });
  }
}

function deleteOld(directory) {
  for (const name of fs.readdirSync(directory)) {
    const file = path.join(directory, name);
    if (Date.now() - fs.statSync(file).mtimeMs > keptMsMax) fs.rmSync(file, { force: true });
  }
}

module.exports = { keptCode };
