import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { RuntimeFailure } from '@coxswain/kubelet/runtime.ts';
import { annotation } from './annotations.ts';
import { isShellName } from '../process/shell-executables.ts';
import { busyboxPrograms } from './busybox-programs.ts';

/** An image reference as registry clients parse it: host, path, tag, digest. */
const imageName =
  /^(?:(?=[^:/]{1,253})[a-zA-Z0-9-]{1,63}(?:\.[a-zA-Z0-9-]{1,63})*(?::\d{1,5})?\/)?[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*(?::\w[\w.-]{0,127})?(?:@[A-Za-z]\w*(?::[0-9a-fA-F]{32,}))?$/;

/** Tags that examples and tests use for images that do not exist. */
const missingTag = /:(?:404|non-?existent|does-?not-?exist|not-?found)$/i;

/**
 * Rejects images that no node could pull: because of the pod's annotation, a malformed name, a tag such as `404` or
 * `nonexistent`, or a registry host that ends in `.invalid` or begins with `invalid.`.
 * @param isDefined the image is defined by the user and exists whatever its name
 * @throws RuntimeFailure
 */
export function checkImage(name: string, pod: Pod, isDefined = false): void {
  if (!imageName.test(name)) {
    const message = `Failed to apply default image tag "${name}": couldn't parse image name "${name}": invalid reference format`;
    throw new RuntimeFailure('InvalidImageName', message);
  }
  const asked = annotation(pod, 'pull-error');
  if (asked !== undefined) throw new RuntimeFailure('ErrImagePull', asked);
  if (isDefined) return;
  const host = name.split('/')[0]!;
  if (/^invalid\.|\.invalid$/.test(host)) throw unresolved(name, `dial tcp: lookup ${host}: no such host`);
  if (missingTag.test(name)) throw unresolved(name, `${fullName(name)}: not found`);
}

function unresolved(name: string, why: string): RuntimeFailure {
  const full = fullName(name);
  return new RuntimeFailure(
    'ErrImagePull',
    `failed to pull and unpack image "${full}": failed to resolve reference "${full}": ${why}`,
  );
}

/** With registry and tag. */
export function fullName(name: string): string {
  const tagged = /:[^/]+$/.test(name) ? name : `${name}:latest`;
  const [first = '', ...rest] = tagged.split('/');
  if (rest.length === 0) return `docker.io/library/${tagged}`;
  return /[.:]|^localhost$/.test(first) ? tagged : `docker.io/${tagged}`;
}

/** Equal names have equal digests on all nodes. */
export function imageRef(name: string): string {
  const repository = repositoryOf(name);
  const full = repository.includes('/') ? repository : `docker.io/library/${repository}`;
  return `${full}@sha256:${digestOf(name)}`;
}

/** Whether the default program of the image is a shell. */
const shellImages = new Set(
  'almalinux alpine amazonlinux archlinux bash busybox centos debian fedora opensuse rockylinux ubuntu'.split(
    ' ',
  ),
);

/** Images that contain their own program and nothing else, not even a shell. */
const bareImages = /(?:^|\/)(?:pause|coredns|kube-[a-z-]+)$|\bdistroless\//;

export const isBare = (name: string): boolean => bareImages.test(repositoryOf(name));

/** The titles of processes of well-known images, by the last part of the image name. */
const processTitles: Readonly<Record<string, string>> = {
  nginx: 'nginx: master process nginx -g daemon off;',
  'nginx-slim': 'nginx: master process nginx -g daemon off;',
  redis: 'redis-server *:6379',
  postgres: 'postgres',
  mysql: 'mysqld',
  httpd: 'httpd -DFOREGROUND',
  pause: '/pause',
};

/** The command line of the main process; that of an unknown image is the name of the image. */
export function mainCommand({ image = '', command = [], args = [] }: Container): readonly string[] {
  if (command.length + args.length > 0) return [...command, ...args];
  const name = repositoryName(image);
  if (shellImages.has(name)) return ['sh'];
  return [Object.hasOwn(processTitles, name) ? processTitles[name]! : name];
}

/** Compares the last part of the name, whatever the registry: `busybox:1.37`, `example.com/mirror/alpine`. */
export const runsShell = (name: string): boolean => shellImages.has(repositoryName(name));

/**
 * The reason why a command cannot be started because its program is certainly not in the image; undefined if the
 * contents of the image are unknown. Programs in other directories may come from a volume.
 */
export function startFailure(image: string, [path = '']: readonly string[]): string | undefined {
  const place = /^(?:\/(?:usr\/)?s?bin\/)?([^/]+)$/.exec(path);
  const isMissing = isBare(image) ? isShellName : (name: string) => !busyboxPrograms.has(name);
  const isKnown = repositoryName(image) === 'busybox' || isBare(image);
  if (!isKnown || place === null || !isMissing(place[1]!)) return undefined;
  return missingProgram(path);
}

/** The runtime's error for a program that is not in the image. */
export function missingProgram(path: string): string {
  const why = path.includes('/')
    ? `stat ${path}: no such file or directory`
    : 'executable file not found in $PATH';
  const start =
    'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed';
  return `${start}: unable to start container process: error during container init: exec: ${JSON.stringify(path)}: ${why}`;
}

/** The last part of the name, whatever the registry. */
function repositoryName(name: string): string {
  const repository = repositoryOf(name);
  return repository.slice(repository.lastIndexOf('/') + 1);
}

const repositoryOf = (name: string): string => name.replace(/@.*$/, '').replace(/:[^/]+$/, '');

/** Between 1 MB and 128 MB. */
export const imageSizeBytes = (name: string): number => 1_000_000 + (hash(name, 0) % 127_000_000);

const digestOf = (text: string): string =>
  Array.from({ length: 8 }, (_, seed) => hash(text, seed).toString(16).padStart(8, '0')).join('');

/** FNV-1a. */
function hash(text: string, seed: number): number {
  let value = 0x811c9dc5 ^ seed;
  for (let index = 0; index < text.length; index++) {
    value ^= text.charCodeAt(index);
    value = Math.imul(value, 0x01000193);
  }
  return value >>> 0;
}
