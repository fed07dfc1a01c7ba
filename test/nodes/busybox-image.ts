/** Makes container images out of the machine's static busybox, since no registry can be reached. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

export const busyboxImage = 'docker.io/library/busybox:1.36';
export const pauseImage = 'registry.k8s.io/pause:3.10';

export interface ImageConfig {
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly User?: string;
  readonly Env?: readonly string[];
}

/** The parts of an image, as files. */
export interface ImageFiles {
  /** Of the OCI's image specification. */
  readonly config: string;
  /** Its only layer: a tar without compression. */
  readonly layer: string;
}

/** Writes an archive as `docker save` makes it; answers with its path. */
export function writeImageArchive(directory: string, name: string, config: ImageConfig): string {
  writeImage(directory, config);
  const manifest = [{ Config: 'config.json', RepoTags: [name], Layers: ['layer.tar'] }];
  writeFileSync(path.join(directory, 'manifest.json'), JSON.stringify(manifest));
  const archive = path.join(directory, 'image.tar');
  execFileSync('tar', ['-C', directory, '-cf', archive, 'manifest.json', 'config.json', 'layer.tar']);
  return archive;
}

export interface ImageContent {
  /** By where they come in the image. */
  readonly files?: Readonly<Record<string, string>>;
  /** Of these, those that run as root whoever starts them. */
  readonly setuid?: readonly string[];
  /** A static one; the machine's when absent. */
  readonly busybox?: string;
}

/** Writes an image with busybox and other files. */
export function writeImage(
  directory: string,
  config: ImageConfig,
  { files = {}, setuid = [], busybox = machineBusybox() }: ImageContent = {},
): ImageFiles {
  const rootfs = path.join(directory, 'rootfs');
  for (const each of ['bin', 'etc', 'tmp', 'proc', 'sys', 'dev', 'var/www', 'home'])
    mkdirSync(path.join(rootfs, each), { recursive: true });
  copyFileSync(busybox, path.join(rootfs, 'bin/busybox'));
  for (const applet of appletsOf(busybox)) symlinkSync('busybox', path.join(rootfs, 'bin', applet));
  writeFileSync(
    path.join(rootfs, 'etc/passwd'),
    'root:x:0:0:root:/:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n',
  );
  writeFileSync(path.join(rootfs, 'etc/group'), 'root:x:0:\nnobody:x:65534:\n');
  for (const [place, file] of Object.entries(files)) {
    const inside = path.join(rootfs, place);
    mkdirSync(path.dirname(inside), { recursive: true });
    // What busybox brings under that name would be written through its link.
    rmSync(inside, { force: true });
    copyFileSync(file, inside);
  }
  for (const place of setuid) chmodSync(path.join(rootfs, place), 0o4755);
  const layer = path.join(directory, 'layer.tar');
  execFileSync('tar', [
    '-C',
    rootfs,
    '--numeric-owner',
    '--owner=0',
    '--group=0',
    '--mtime=@0',
    '--sort=name',
    '-cf',
    layer,
    '.',
  ]);
  const digest = createHash('sha256').update(readFileSync(layer)).digest('hex');
  const image = {
    architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
    os: 'linux',
    config: { Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'], ...config },
    rootfs: { type: 'layers', diff_ids: [`sha256:${digest}`] },
    history: [{ created: '1970-01-01T00:00:00Z', created_by: 'busybox' }],
  };
  const configFile = path.join(directory, 'config.json');
  writeFileSync(configFile, JSON.stringify(image));
  rmSync(rootfs, { recursive: true });
  return { config: configFile, layer };
}

const machineBusybox = (): string =>
  execFileSync('sh', ['-c', 'command -v busybox'], { encoding: 'utf8' }).trim();

const appletsOf = (busybox: string): readonly string[] =>
  execFileSync(busybox, ['--list'], { encoding: 'utf8' })
    .split('\n')
    .filter((applet) => applet !== '' && applet !== 'busybox');
