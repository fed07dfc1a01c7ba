/**
 * The images of the original's end-to-end tests, made here, since no registry can be reached: what upstream's recipes
 * (`test/images`) put into them, from programs that were built and programs of this machine, on top of busybox where
 * upstream takes Alpine. One is a substitute: a web server of busybox where tests ask for nginx.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeImage, type ImageConfig } from '../../nodes/busybox-image.ts';
import type { RegistryDirectory } from './registry-directory.ts';

const promoted = 'registry.k8s.io/e2e-test-images';
const webserver = ['test-webserver'];

interface ImageRecipe {
  readonly names: readonly string[];
  readonly config: ImageConfig;
  /** Places in the image by programs, which are looked for by name. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Programs that are on every Debian. */
  readonly machine?: readonly string[];
  /** Programs of this machine under another name. */
  readonly links?: Readonly<Record<string, string>>;
  readonly texts?: Readonly<Record<string, string>>;
  /** Of the programs, those that run as root whoever starts them. */
  readonly setuid?: readonly string[];
}

/** Not Debian's busybox, whose shell prefers its own programs to those that lie in the image. */
const shellOfDebian = { 'bin/sh': 'bash', 'bin/bash': 'bash', 'bin/wget': 'wget' };
/** Busybox's, but Debian's drops variables such as `a.b`, which upstream's passes on. */
const shellOfBusybox = `#!/bin/bash
/bin/busybox env | /bin/busybox grep -q '^[^=]*[^A-Za-z0-9_=][^=]*=' && exec /bin/bash "$@"
exec -a "$0" /bin/busybox "$@"
`;
const release = { 'etc/os-release': 'NAME="Alpine Linux"\nID=alpine\nPRETTY_NAME="Alpine Linux"\n' };

const users = {
  'etc/passwd': 'root:x:0:0:root:/:/bin/sh\nuser-defined-in-image:x:1000:1000::/home:/bin/sh\n',
  'etc/group':
    'root:x:0:\nuser-defined-in-image:x:1000:\ngroup-defined-in-image:x:50000:user-defined-in-image\n',
  'etc/nsswitch.conf': 'hosts: files dns\n',
  ...release,
  'uploads/.keep': '',
};
const agnhost: ImageRecipe = {
  names: [`${promoted}/agnhost:2.63.0`, `${promoted}/agnhost:2.55`],
  config: { Entrypoint: ['/agnhost'], Cmd: ['pause'] },
  programs: {
    agnhost: 'agnhost',
    'agnhost-2': 'agnhost',
    'usr/bin/nc': 'nc.openbsd',
    'localhost.crt': 'localhost.crt',
    'localhost.key': 'localhost.key',
  },
  machine: ['curl', 'dig', 'host', 'nslookup', 'getent', 'bash', 'wget', 'ip', 'ss', 'ipcs'],
  links: shellOfDebian,
  texts: users,
};
const pictureServer = (name: string): ImageRecipe => ({
  ...agnhost,
  names: [`${promoted}/${name}:1.8`],
  config: { Entrypoint: ['/agnhost'], Cmd: webserver },
  texts: { ...users, 'data.json': `{"image": "${name}.jpg"}\n`, [`${name}.jpg`]: name },
});

const recipes: readonly ImageRecipe[] = [
  agnhost,
  { ...agnhost, names: [`${promoted}/nonroot:1.5`], config: { ...agnhost.config, User: '1234' } },
  pictureServer('nautilus'),
  pictureServer('kitten'),
  {
    names: [`${promoted}/busybox:1.37.0-1`],
    config: { Cmd: ['sh'] },
    machine: ['bash'],
    links: { 'bin/bash': 'bash' },
    texts: { ...release, 'bin/sh': shellOfBusybox },
  },
  {
    names: ['registry.k8s.io/pause:3.10.2'],
    config: { Entrypoint: ['/pause'], User: '65535:65535' },
    programs: { pause: 'pause' },
  },
  {
    names: [`${promoted}/nginx:1.15-4`, `${promoted}/nginx:1.27-0`],
    config: { Cmd: ['httpd', '-f', '-p', '80', '-h', '/var/www'] },
    texts: { 'var/www/index.html': 'Welcome\n' },
  },
  {
    names: [`${promoted}/glibc-dns-testing:2.0.0`],
    config: { Cmd: ['bash'] },
    machine: ['dig', 'getent', 'bash', 'wget', 'host', 'nslookup'],
    links: shellOfDebian,
    texts: { 'etc/nsswitch.conf': 'hosts: files dns\n' },
  },
  {
    names: [`${promoted}/nonewprivs:1.4`],
    config: { Cmd: ['nnp'] },
    programs: { 'usr/local/bin/nnp': 'nnp' },
    setuid: ['usr/local/bin/nnp'],
  },
  {
    names: [`${promoted}/ipc-utils:1.4`],
    config: { Cmd: ['sh'] },
    machine: ['bash', 'wget', 'ipcs', 'ipcmk', 'ipcrm'],
    links: shellOfDebian,
  },
  {
    names: [`${promoted}/resource-consumer:1.14`],
    config: { Entrypoint: ['/consumer'] },
    programs: { consumer: 'resource-consumer' },
  },
  {
    names: [`${promoted}/regression-issue-74839:1.4`],
    config: { Cmd: ['/regression-issue-74839'] },
    programs: { 'regression-issue-74839': 'regression-issue-74839' },
  },
  {
    names: [`${promoted}/sample-apiserver:1.29.2`],
    config: { Entrypoint: ['/sample-apiserver'] },
    programs: { 'sample-apiserver': 'sample-apiserver' },
  },
  {
    names: ['registry.k8s.io/etcd:3.6.8-0'],
    config: {},
    programs: { 'usr/local/bin/etcd': 'etcd', 'usr/local/bin/etcdctl': 'etcdctl' },
  },
];

/**
 * Puts all that can be made into a registry; answers with the names of those that can't, as their programs were not
 * found.
 * @param directories where programs are looked for: those that were built
 */
export function makeImages(registry: RegistryDirectory, directories: readonly string[]): readonly string[] {
  const find = (program: string): string | undefined =>
    directories.map((directory) => path.join(directory, program)).find((file) => existsSync(file));
  const busybox = find('busybox');
  return recipes.flatMap((recipe) => {
    const wanted = Object.entries(recipe.programs ?? {});
    if (busybox === undefined || wanted.some(([, program]) => find(program) === undefined))
      return recipe.names;
    const work = mkdtempSync(path.join(tmpdir(), 'cox-image-'));
    const files = {
      ...withLibraries(recipe.machine ?? []),
      ...Object.fromEntries(
        Object.entries(recipe.links ?? {}).map(([place, program]) => [place, placeOf(program)]),
      ),
      ...Object.fromEntries(wanted.flatMap(([place, program]) => filesOf(place, find(program)!))),
      ...asFiles(work, recipe.texts ?? {}),
    };
    registry.add(
      recipe.names,
      writeImage(work, recipe.config, { files, setuid: recipe.setuid ?? [], busybox }),
    );
    rmSync(work, { recursive: true });
    return [];
  });
}

/** Programs of this machine, with all that they load. */
const withLibraries = (programs: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    programs.flatMap((name) => {
      const program = placeOf(name);
      return filesOf(program, program);
    }),
  );

const placeOf = (program: string): string =>
  execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();

const filesOf = (place: string, program: string): readonly (readonly [string, string])[] => [
  [place, program],
  ...librariesOf(program).map((library) => [library, library] as const),
];

/** Of a program that is linked statically: none. */
function librariesOf(program: string): readonly string[] {
  const said = execFileSync('sh', ['-c', 'ldd "$0" 2>&1 || true', program], { encoding: 'utf8' });
  return [...said.matchAll(/(\/\S+) \(/g)].map(([, library = '']) => library);
}

function asFiles(
  directory: string,
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(texts).map(([place, text], index) => {
      const file = path.join(directory, `text-${index}`);
      writeFileSync(file, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
      return [place, file];
    }),
  );
}
