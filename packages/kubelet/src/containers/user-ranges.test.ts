import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UserRanges } from './user-ranges.ts';

const idsPerPod = 65_536;
let root: string;

beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), 'cox-users-'))));
afterEach(() => rmSync(root, { recursive: true }));

/** Each is that of another start of the kubelet. */
const rangesOfStart = (podsMax = 3, drawn = 0) =>
  new UserRanges({
    random: { next: () => drawn },
    cri: {} as never,
    directories: { root, podLogs: '', containerLogs: '' },
    podsMax,
    idsPerPod,
  });

const podWith = (uid: string, hostUsers?: boolean): Pod =>
  ({ metadata: { uid }, spec: { hostUsers } }) as unknown as Pod;

const fileOf = (uid: string) => path.join(root, 'pods', uid, 'userns');

test('a range is chosen at random', async () => {
  const chosen = await rangesOfStart(3, 0.99).of(podWith('a', false));
  expect(chosen?.hostId).toBe(3 * idsPerPod);
});

test('only pods that want users of their own have them, and never those of the node or of another pod', async () => {
  const ranges = rangesOfStart();
  expect(await ranges.of(podWith('a'))).toBeUndefined();
  expect(await ranges.of(podWith('b', true))).toBeUndefined();
  const chosen = await Promise.all(['c', 'd', 'e'].map((uid) => ranges.of(podWith(uid, false))));
  expect(chosen.map((range) => range?.hostId)).toEqual([idsPerPod, 2 * idsPerPod, 3 * idsPerPod]);
  await expect(ranges.of(podWith('f', false))).rejects.toThrow('could not find an empty slot');
  await ranges.release('d');
  expect(await ranges.of(podWith('f', false))).toEqual({
    hostId: 2 * idsPerPod,
    containerId: 0,
    length: idsPerPod,
  });
});

test('a restarted kubelet gives pods the users that they had', async () => {
  const before = await rangesOfStart().of(podWith('a', false));
  expect(await rangesOfStart().of(podWith('b', false))).not.toEqual(before);
  expect(await rangesOfStart().of(podWith('a', false))).toEqual(before);
});

test('no range goes beyond what the kernel can number', async () => {
  const record = (uid: string, hostId: number) => {
    const range = { hostId, containerId: 0, length: idsPerPod };
    mkdirSync(path.dirname(fileOf(uid)), { recursive: true });
    writeFileSync(fileOf(uid), JSON.stringify({ uidMappings: [range], gidMappings: [range] }));
  };
  record('last', 2 ** 32 - idsPerPod);
  record('beyond', 2 ** 32);
  const ranges = rangesOfStart(2 ** 20);
  expect(await ranges.of(podWith('last', false))).toMatchObject({ hostId: 2 ** 32 - idsPerPod });
  await expect(ranges.of(podWith('beyond', false))).rejects.toThrow('invalid user namespace mappings file');
});

test.each([
  ['text', '{'],
  ['no ranges', '{}'],
  ['users of the node', '{"uidMappings":[{"hostId":0,"containerId":0,"length":65536}]}'],
])('a damaged record (%s) fails the pod, and is not replaced', async (_what, text) => {
  await rangesOfStart().of(podWith('a', false));
  const range = JSON.parse(readFileSync(fileOf('a'), 'utf8')) as { uidMappings: unknown };
  const content = text.startsWith('{"') ? { ...range, ...(JSON.parse(text) as object) } : text;
  writeFileSync(fileOf('a'), typeof content === 'string' ? content : JSON.stringify(content));
  const message = 'user namespace: pod "a": invalid user namespace mappings file';
  await expect(rangesOfStart().of(podWith('a', false))).rejects.toThrow(message);
  await expect(rangesOfStart().of(podWith('b', false))).rejects.toThrow(message);
  expect(existsSync(fileOf('b'))).toBe(false);
});
