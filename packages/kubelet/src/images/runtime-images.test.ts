import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ManualClock } from '@coxswain/apimachinery';
import { TokenBucket } from '@coxswain/client';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Secret } from '@coxswain/api/core/v1/secret.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Cri } from '../cri/cri-client.ts';
import { ImageAccess } from './image-access.ts';
import { PullRecords } from './pull-records.ts';
import { RuntimeImages, type RuntimeImagesOptions } from './runtime-images.ts';
import { verificationPolicy, type PolicyName } from '../config/verification-policy.ts';

const pod = { metadata: { name: 'web', namespace: 'shop' } } as unknown as Pod;

let root = '';
const signal = new AbortController().signal;
const fail = (error: unknown): never => {
  throw error;
};

beforeEach(() => void (root = mkdtempSync(path.join(tmpdir(), 'coxswain-images-'))));
afterEach(() => rmSync(root, { recursive: true }));

const accessBy = (policy: PolicyName, clock = new ManualClock(), allowed: readonly string[] = []) =>
  new ImageAccess(new PullRecords(root, clock), verificationPolicy(policy, allowed), fail);

/** Images of a runtime whose pulls end when the test calls `finish`. */
function imagesWith(options: Partial<RuntimeImagesOptions>) {
  const clock = new ManualClock();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const cri = {
    pullImage: ({ image }: { image: { image: string } }) => {
      begun.push(image.image);
      return new Promise<object>((resolve) => ends.push(() => resolve({})));
    },
    imageStatus: async () => ({ image: { id: 'sha256:1', repoDigests: [], size: 1, username: '' } }),
  } as unknown as Cri;
  const access = accessBy('NeverVerify');
  const images = new RuntimeImages({ cri, clock, access, pullSecrets: async () => [], ...options });
  const pull = (name: string) => images.pull(name, pod, signal);
  return { clock, begun, pull, finish: () => ends.shift()?.() };
}

test('images are pulled concurrently up to the limit, and the others in order', async () => {
  const { begun, pull, finish } = imagesWith({ pullsAtOnceMax: 2 });
  const pulls = ['a', 'b', 'c', 'd'].map(pull);
  await expect.poll(() => begun).toEqual(['a:latest', 'b:latest']);
  finish();
  await pulls[0];
  await expect.poll(() => begun).toEqual(['a:latest', 'b:latest', 'c:latest']);
  finish();
  finish();
  await Promise.all(pulls.slice(1, 3));
  await expect.poll(() => begun).toHaveLength(4);
  finish();
  await pulls[3];
});

test('more pulls a second than the node may are refused, until time has passed', async () => {
  const clock = new ManualClock();
  const { pull, finish, begun } = imagesWith({ clock, pace: new TokenBucket(clock, 1, 2) });
  const allowed = ['a', 'b'].map(pull);
  await expect(pull('c')).rejects.toMatchObject({ code: 'ErrImagePull', message: 'pull QPS exceeded' });
  await clock.advance(1_000);
  allowed.push(pull('c'));
  await expect.poll(() => begun).toHaveLength(3);
  for (const _ of allowed) finish();
  await Promise.all(allowed);
});

const image = 'registry.example/app:v1';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const secret = (name: string, password: string, uid = name): Secret =>
  ({
    metadata: { name, namespace: 'shop', uid },
    type: 'kubernetes.io/dockerconfigjson',
    data: {
      '.dockerconfigjson': base64(
        JSON.stringify({ auths: { 'registry.example': { username: 'me', password } } }),
      ),
    },
  }) as unknown as Secret;

/**
 * A node whose registry requires the password `right` for all images, and that has preloaded the images in `present`.
 */
function nodeWith(policy: PolicyName, present: readonly string[] = [], allowed: readonly string[] = []) {
  const there = new Set(present);
  const pulls: (string | undefined)[] = [];
  const cri = {
    async imageStatus({ image: { image: name } }: { image: { image: string } }) {
      return there.has(name)
        ? { image: { id: `sha256:${name}`, repoDigests: [], size: 1, username: '' } }
        : {};
    },
    async pullImage({
      image: { image: name },
      auth,
    }: {
      image: { image: string };
      auth?: { password: string };
    }) {
      pulls.push(auth?.password);
      if (name.startsWith('registry.example') && auth?.password !== 'right') throw new Error('denied');
      there.add(name);
      return {};
    },
  } as unknown as Cri;
  const clock = new ManualClock();
  let secrets: readonly Secret[] = [];
  const restarted = () =>
    new RuntimeImages({
      cri,
      clock,
      access: accessBy(policy, clock, allowed),
      pullSecrets: async () => secrets,
    });
  let images = restarted();
  return {
    clock,
    pulls,
    restart: () => void (images = restarted()),
    async has(name: string, ...own: readonly Secret[]) {
      secrets = own;
      return (await images.findFor(name, pod)) !== undefined;
    },
    pull(name: string, ...own: readonly Secret[]) {
      secrets = own;
      return images.pull(name, pod, signal);
    },
    forget: (name: string) => there.delete(name),
  };
}

const right = secret('team', 'right');

test('an image pulled with a Secret is available to pods that have it, and to no others, even after a restart', async () => {
  const node = nodeWith('NeverVerifyPreloadedImages');
  await node.pull(image, right);
  node.restart();
  expect(await node.has(image, right)).toBe(true);
  expect(await node.has(image)).toBe(false);
  expect(await node.has(image, secret('other', 'wrong'))).toBe(false);
  // The same credentials in another Secret are accepted.
  expect(await node.has(image, secret('copy', 'right'))).toBe(true);
  // So is the Secret itself after its contents have changed.
  expect(await node.has(image, secret('team', 'changed'))).toBe(true);
  // Another tag of the image must still be pulled by the runtime.
  expect(await node.has('registry.example/app:v2', right)).toBe(false);
});

test('a pull by others shows whether the pod may use the image', async () => {
  const node = nodeWith('NeverVerifyPreloadedImages');
  await node.pull(image, right);
  await expect(node.pull(image, secret('other', 'wrong'))).rejects.toMatchObject({
    code: 'ErrImagePull',
    message: 'denied',
  });
  await node.pull(image, secret('other', 'wrong'), secret('third', 'right'));
  expect(node.pulls).toEqual(['right', 'wrong', 'wrong', 'right']);
  expect(await node.has(image, secret('third', 'right'))).toBe(true);
});

test('an image that needed no credentials is available to all', async () => {
  const node = nodeWith('AlwaysVerify');
  await node.pull('busybox');
  expect(await node.has('busybox')).toBe(true);
});

test.each<[PolicyName, readonly string[], boolean]>([
  ['NeverVerify', [], true],
  ['NeverVerifyPreloadedImages', [], true],
  ['NeverVerifyAllowlistedImages', ['registry.example/*'], true],
  ['NeverVerifyAllowlistedImages', ['registry.example/app'], true],
  ['NeverVerifyAllowlistedImages', ['registry.example/ap'], false],
  ['AlwaysVerify', [], false],
])('an image that another has brought, by %s %j: %s', async (policy, allowed, isOpen) => {
  const node = nodeWith(policy, [image], allowed);
  expect(await node.has(image)).toBe(isOpen);
});

test('a pull with an unknown end makes no image available to all', async () => {
  const node = nodeWith('NeverVerifyPreloadedImages', [image]);
  new PullRecords(root, node.clock).intend(image);
  const access = accessBy('NeverVerifyPreloadedImages', node.clock);
  await access.start(async () => [{ id: `sha256:${image}`, repoTags: [image], repoDigests: [] }]);
  node.restart();
  expect(await node.has(image, right)).toBe(false);
  await node.pull(image, right);
  expect(await node.has(image, right)).toBe(true);
});

test('a record that can’t be read makes everybody pull', async () => {
  const node = nodeWith('NeverVerifyPreloadedImages');
  await node.pull(image, right);
  const directory = path.join(root, 'image_manager', 'pulled');
  const [file = ''] = readdirSync(directory);
  writeFileSync(path.join(directory, file), '{');
  const reported: unknown[] = [];
  const access = new ImageAccess(
    new PullRecords(root, node.clock),
    verificationPolicy('NeverVerifyPreloadedImages'),
    (error) => reported.push(error),
  );
  expect(await access.isOpen(image, `sha256:${image}`, async () => [])).toBe(false);
  expect(reported).toHaveLength(1);
});

test('records have upstream’s format, and are removed with their images', async () => {
  const node = nodeWith('NeverVerifyPreloadedImages');
  await node.pull(image, right);
  const directory = path.join(root, 'image_manager', 'pulled');
  const [file = ''] = readdirSync(directory);
  expect(file).toMatch(/^sha256-[0-9a-f]{64}$/);
  expect(JSON.parse(readFileSync(path.join(directory, file), 'utf8'))).toMatchObject({
    kind: 'ImagePulledRecord',
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    imageRef: `sha256:${image}`,
    credentialMapping: {
      'registry.example/app': {
        kubernetesSecrets: [
          {
            uid: 'team',
            namespace: 'shop',
            name: 'team',
            // Of `{"username":"me","password":"right"}`
            credentialHash: 'f99d29347684dbb7c59762df4b8f4bd81deb917ce77ace8382a574e8a0384416',
          },
        ],
      },
    },
  });
  expect(readdirSync(path.join(root, 'image_manager', 'pulling'))).toEqual([]);
  const access = accessBy('NeverVerifyPreloadedImages', node.clock);
  access.prune(new Set(), node.clock.now());
  expect(readdirSync(directory)).toHaveLength(1);
  access.prune(new Set([`sha256:${image}`]), node.clock.now() + 5_000);
  expect(readdirSync(directory)).toHaveLength(1);
  access.prune(new Set(), node.clock.now() + 5_000);
  expect(readdirSync(directory)).toHaveLength(0);
});
