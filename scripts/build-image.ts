/**
 * Makes `dist/image/coxswain.tar`, an image in the form of the OCI, out of `dist/executable/coxswain`
 * (`npm run build-executable`) and the C library of this machine; without Docker. Linux only. Usable as
 *
 *     ctr images import coxswain.tar | docker load --input coxswain.tar | skopeo copy oci-archive:coxswain.tar …
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { coxswainVersion } from 'coxswain/program/version.ts';
import { programs } from 'coxswain/program/programs.ts';

const root = path.join(import.meta.dirname, '..');
const executable = path.join(root, 'dist/executable/coxswain');
const out = path.join(root, 'dist/image');
const layout = path.join(out, 'layout');
const blobs = path.join(layout, 'blobs/sha256');
const bytesMax = 70_000_000;
/** The conventional unprivileged user of images without a shell. */
const user = 65532;
const home = '/var/lib/coxswain';

if (!existsSync(executable)) throw new Error('npm run build-executable makes what belongs in the image');
rmSync(out, { recursive: true, force: true });
mkdirSync(blobs, { recursive: true });
// Files that seldom change have their own layer.
const layers = [layer('system', writeSystem), layer('coxswain', writeProgram)];
const config = blob({
  architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
  os: 'linux',
  config: {
    User: `${user}:${user}`,
    Env: ['PATH=/usr/local/bin', `HOME=${home}`, `KUBECONFIG=${home}/kubeconfig`],
    Entrypoint: ['coxswain'],
    Cmd: ['up', '--bind-address=0.0.0.0', `--data-dir=${home}`],
    WorkingDir: home,
    ExposedPorts: { '6443/tcp': {} },
    Volumes: { [home]: {} },
    Labels: {
      'org.opencontainers.image.version': coxswainVersion,
      'org.opencontainers.image.licenses': [
        'Apache-2.0 AND MIT AND LGPL-2.1-or-later',
        'GPL-3.0-or-later WITH GCC-exception-3.1',
      ].join(' AND '),
    },
  },
  rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
});
const mediaType = (what: string): string => `application/vnd.oci.image.${what}`;
const manifest = blob({
  schemaVersion: 2,
  mediaType: mediaType('manifest.v1+json'),
  config: { mediaType: mediaType('config.v1+json'), ...config },
  layers: layers.map(({ digest, size }) => ({ mediaType: mediaType('layer.v1.tar+gzip'), digest, size })),
});
const tags = {
  'io.containerd.image.name': `docker.io/library/coxswain:${coxswainVersion}`,
  'org.opencontainers.image.ref.name': coxswainVersion,
};
const index = {
  schemaVersion: 2,
  mediaType: mediaType('index.v1+json'),
  manifests: [{ mediaType: mediaType('manifest.v1+json'), ...manifest, annotations: tags }],
};
writeFileSync(path.join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
writeFileSync(path.join(layout, 'index.json'), JSON.stringify(index));
const file = path.join(out, 'coxswain.tar');
writeFileSync(file, tarOf(layout));
rmSync(layout, { recursive: true });
const { size } = statSync(file);
if (size > bytesMax) throw new Error(`the image has ${size} bytes`);
console.log(`${path.relative(root, file)}: ${(size / 1e6).toFixed(1)} MB, of coxswain:${coxswainVersion}`);

function layer(name: string, fill: (directory: string) => void) {
  const directory = path.join(out, name);
  mkdirSync(directory);
  fill(directory);
  const tar = tarOf(directory);
  rmSync(directory, { recursive: true });
  return { diffId: digestOf(tar), ...blobOf(gzipSync(tar, { level: 9 })) };
}

/** The C library, the libraries that Node is linked with, certificate authorities, and users. */
function writeSystem(directory: string): void {
  const libraries = execFileSync('ldd', [executable], { encoding: 'utf8' }).matchAll(/(\/\S+\.so\S*)/g);
  const authorities = '/etc/ssl/certs/ca-certificates.crt';
  for (const [, library] of libraries) {
    add(directory, library!);
    addCopyright(directory, library!);
  }
  if (existsSync(authorities)) add(directory, authorities);
  const texts = {
    'etc/passwd': `root:x:0:0:root:/:/sbin/nologin\ncoxswain:x:${user}:${user}:coxswain:${home}:/sbin/nologin\n`,
    'etc/group': `root:x:0:\ncoxswain:x:${user}:\n`,
    'etc/nsswitch.conf': 'hosts: files dns\n',
  };
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
    writeFileSync(path.join(directory, name), text);
  }
  mkdirSync(path.join(directory, 'tmp'));
  chmodSync(path.join(directory, 'tmp'), 0o1777);
  mkdirSync(path.join(directory, home), { recursive: true });
}

/** Adds the target of a link under the name of the link. */
function add(directory: string, file: string): void {
  const target = path.join(directory, file);
  mkdirSync(path.dirname(target), { recursive: true });
  copyFileSync(realpathSync(file), target);
}

/** Debian's packages say under which licenses a library is; of libraries of another system it is not known. @throws Error for those */
function addCopyright(directory: string, library: string): void {
  // The directory of libraries may be a link to where the package has put them.
  const owners = [library, realpathSync(library)].map((file) =>
    spawnSync('dpkg-query', ['--search', file], { encoding: 'utf8' }),
  );
  const [name] = owners.flatMap(({ status, stdout }) => (status === 0 ? stdout.split(':', 1) : []));
  if (name === undefined)
    throw new Error(`the licenses of ${library} are not known: build on Debian or Ubuntu`);
  add(directory, `/usr/share/doc/${name}/copyright`);
}

/**
 * The executable under all of its names, and its files where it first looks for them, so that nothing is unpacked at
 * startup.
 */
function writeProgram(directory: string): void {
  const bin = path.join(directory, 'usr/local/bin');
  mkdirSync(bin, { recursive: true });
  cpSync(executable, path.join(bin, 'coxswain'));
  for (const name of Object.keys(programs)) symlinkSync('coxswain', path.join(bin, name));
  const cache = path.join(out, 'cache');
  execFileSync(executable, ['version'], { env: { XDG_CACHE_HOME: cache } });
  cpSync(path.join(cache, 'coxswain'), path.join(directory, 'usr/local/lib/coxswain'), { recursive: true });
  rmSync(cache, { recursive: true });
}

/** A reproducible archive; files below the user's home directory belong to the user. */
function tarOf(directory: string): Buffer {
  openToAll(directory);
  const options = [
    '--sort=name',
    '--mtime=@0',
    '--numeric-owner',
    '--format=pax',
    '--pax-option=delete=atime,delete=ctime',
  ];
  const of = (owner: number, ...more: string[]) => [
    ...options,
    `--owner=${owner}`,
    `--group=${owner}`,
    '-C',
    directory,
    ...more,
  ];
  const buffer = { maxBuffer: 1e9 };
  if (!existsSync(path.join(directory, home)))
    return execFileSync('tar', of(0, '-cf', '-', ...readdirSync(directory)), buffer);
  const file = path.join(out, 'layer.tar');
  execFileSync('tar', of(0, `--exclude=.${home}`, '-cf', file, '.'));
  execFileSync('tar', of(user, '-rf', file, `.${home}`));
  const bytes = readFileSync(file);
  rmSync(file);
  return bytes;
}

/** Makes files readable regardless of the builder's umask. */
function openToAll(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    const place = path.join(entry.parentPath, entry.name);
    const { mode } = lstatSync(place);
    if (entry.isSymbolicLink() || (mode & 0o1000) !== 0) continue;
    chmodSync(place, entry.isDirectory() || (mode & 0o100) !== 0 ? 0o755 : 0o644);
  }
}

function blob(value: object): { readonly digest: string; readonly size: number } {
  return blobOf(Buffer.from(JSON.stringify(value)));
}

function blobOf(bytes: Buffer): { readonly digest: string; readonly size: number } {
  const digest = digestOf(bytes);
  writeFileSync(path.join(blobs, digest.slice('sha256:'.length)), bytes);
  return { digest, size: bytes.length };
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
