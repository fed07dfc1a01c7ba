import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pack as newPack, type Header } from 'tar-stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packFiles, unpackFiles } from './tar-files.ts';

let directory: string;
beforeEach(async () => (directory = await mkdtemp(path.join(os.tmpdir(), 'kubectl-tar-'))));
afterEach(() => rm(directory, { recursive: true, force: true }));

async function unpack(archive: AsyncIterable<Uint8Array>, prefix: string): Promise<readonly string[]> {
  const warnings: string[] = [];
  await unpackFiles(archive, {
    prefix,
    destination: 'home/copy',
    workingDirectory: directory,
    warn: (text) => warnings.push(text.trimEnd()),
    onSymlink: (local, target) => warnings.push(`${local} -> ${target}`),
  });
  return warnings;
}

type Entry = Partial<Header> & Pick<Header, 'name'> & { readonly content?: string };

function archiveOf(entries: readonly Entry[]): AsyncIterable<Uint8Array> {
  const pack = newPack();
  for (const { content = '', ...header } of entries) pack.entry(header, content);
  pack.finalize();
  return pack as unknown as AsyncIterable<Uint8Array>;
}

/** Everything that exists, by name; directories end with a slash. */
async function found(): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const read = entries.map(async (entry) => {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(directory, file);
    if (entry.isDirectory()) return [`${name}/`, ''] as const;
    return [name, entry.isFile() ? await readFile(file, 'utf8') : 'no file'] as const;
  });
  return Object.fromEntries((await Promise.all(read)).filter(([name]) => !/^home\/(copy\/)?$/.test(name)));
}

const file = (name: string, content = 'content'): Entry => ({ name, content });
const outside = (name: string) => `warning: file "${name}" is outside target destination, skipping`;

test.each<readonly [string, readonly Entry[], readonly string[], Readonly<Record<string, string>>]>([
  ['a file', [file('a/x')], [], { 'home/copy/x': 'content' }],
  ['a directory with nothing in it', [{ name: 'a/b', type: 'directory' }], [], { 'home/copy/b/': '' }],
  ['a name that leads out', [file('a/../../out')], [outside('out')], {}],
  ['a name that leads far out', [file('a/../../../../../tmp/out')], [outside('../../../tmp/out')], {}],
  ['the directory around', [file('a/..')], [outside('home')], {}],
  ['a name that leads out and in again', [file('a/../copy/x')], [], { 'home/copy/x': 'content' }],
  ['separators of Windows', [file('a\\..\\..\\out')], [outside('out')], {}],
  ['a name that only looks so', [file('a/..x')], [], { 'home/copy/..x': 'content' }],
  [
    'an absolute name behind the prefix',
    [file('a//etc/x')],
    [],
    { 'home/copy/etc/': '', 'home/copy/etc/x': 'content' },
  ],
  [
    'a symbolic link, and a file behind it',
    [{ name: 'a/link', type: 'symlink', linkname: '/etc' }, file('a/link/x')],
    ['home/copy/link -> /etc'],
    { 'home/copy/link/': '', 'home/copy/link/x': 'content' },
  ],
  [
    'a symbolic link outside',
    [{ name: 'a/../../link', type: 'symlink', linkname: '/etc' }],
    [outside('link')],
    {},
  ],
  ['a hard link', [{ name: 'a/hard', type: 'link', linkname: '/etc/passwd' }], [], { 'home/copy/hard': '' }],
  ['a device', [{ name: 'a/null', type: 'character-device' }], [], { 'home/copy/null': '' }],
  ['a block device', [{ name: 'a/disk', type: 'block-device' }], [], { 'home/copy/disk': '' }],
  ['a pipe', [{ name: 'a/pipe', type: 'fifo' }], [], { 'home/copy/pipe': '' }],
  ['control characters', [file('a/\u001b[2J\n')], [], { 'home/copy/\u001b[2J\n': 'content' }],
  ['control characters outside', [file('a/../../\u001b[2J\r')], [outside('\\x1b[2J\\r')], {}],
  ['a file twice', [file('a/x', 'longer'), file('a/x', 'b')], [], { 'home/copy/x': 'b' }],
  ['the object itself', [file('a')], [], { 'home/copy': 'content' }],
])('%s', async (_what, entries, warnings, files) => {
  expect(await unpack(archiveOf(entries), 'a')).toEqual(warnings);
  expect(await found()).toEqual(files);
});

test.each<readonly [string, readonly Entry[], string]>([
  ['another name', [file('etc/passwd')], 'tar contents corrupted'],
  ['an absolute name', [file('/a/x')], 'tar contents corrupted'],
  ['a file in the way of a directory', [file('a/x'), file('a/x/y')], 'mkdir home/copy/x: not a directory'],
  ['a directory in the way of a file', [file('a/x/y'), file('a/x')], 'open home/copy/x: is a directory'],
  [
    'a sparse file, whose size says nothing',
    [{ ...file('a/x'), pax: { 'GNU.sparse.major': '1', 'GNU.sparse.realsize': '99999999999999' } }],
    'home/copy/x is a sparse file',
  ],
])('%s is refused', async (_what, entries, message) => {
  await expect(unpack(archiveOf(entries), 'a')).rejects.toThrow(message);
  expect(Object.keys(await found()).every((name) => name.startsWith('home/'))).toBe(true);
});

async function* chunks(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

test('an invalid or truncated archive is reported as by Go', async () => {
  const whole = Buffer.concat(await Array.fromAsync(archiveOf([file('a/x', 'y'.repeat(2000))])));
  await expect(unpack(chunks(whole.subarray(0, 900)), 'a')).rejects.toThrow('unexpected EOF');
  await expect(unpack(chunks(Buffer.alloc(2048, 'no archive ')), 'a')).rejects.toThrow(
    'archive/tar: invalid tar header',
  );
});

test('a broken connection is reported, even in the middle of a file', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.concat(await Array.fromAsync(archiveOf([file('a/x', 'y'.repeat(2000))]))).subarray(0, 900);
    throw new Error('connection reset');
  }
  await expect(unpack(broken(), 'a')).rejects.toThrow('connection reset');
});

test('an endless archive is read as it is written, and left when it turns bad', async () => {
  let made = 0;
  let isLeft = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const name = ++made === 40 ? 'other' : `a/${made % 3}`;
        const all = Buffer.concat(await Array.fromAsync(archiveOf([file(name, 'x'.repeat(1024))])));
        // Omits the two empty blocks at the end.
        yield all.subarray(0, -1024);
      }
    } finally {
      isLeft = true;
    }
  }
  await expect(unpack(endless(), 'a')).rejects.toThrow('tar contents corrupted');
  await expect.poll(() => isLeft).toBe(true);
  expect(made).toBeLessThan(400);
});

test('an archive packed under another name unpacks to the requested one', async () => {
  await writeFile(path.join(directory, 'file'), 'content');
  await mkdir(path.join(directory, 'home'));
  await unpack(packFiles(path.join(directory, 'file'), 'tmp/there'), 'tmp/there');
  expect(await readFile(path.join(directory, 'home/copy'), 'utf8')).toBe('content');
});

test('however often a large file is held up, its archive keeps no listeners', async () => {
  const content = 'x'.repeat(4_000_000);
  await unpack(inBlocks(archiveOf([file('a/large', content)])), 'a');
  expect((await readFile(path.join(directory, 'home/copy/large'), 'utf8')).length).toBe(content.length);
});

async function* inBlocks(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const blockBytes = 64 * 1024;
  for await (const chunk of archive)
    for (let at = 0; at < chunk.length; at += blockBytes) yield chunk.subarray(at, at + blockBytes);
}
