import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ManualClock } from '@coxswain/apimachinery';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { garbageOf, type DeadContainer, type FoundSandbox, type GarbageFacts } from './container-garbage.ts';
import { ImageGarbage } from './image-garbage.ts';
import { removeLeftLogs } from './left-logs.ts';
import { rotateLog } from './log-rotation.ts';

const minute = 60_000;

describe('images', () => {
  class Images {
    readonly clock = new ManualClock();
    readonly sizes = new Map<string, number>();
    readonly used = new Set<string>();
    readonly pinned = new Set<string>();
    readonly reported: string[] = [];
    usedBytes = 0;
    readonly garbage: ImageGarbage;

    constructor(settings: Partial<ConstructorParameters<typeof ImageGarbage>[0]['settings']> = {}) {
      this.garbage = new ImageGarbage({
        clock: this.clock,
        settings: {
          imageMinimumGCAge: 2 * minute,
          imageMaximumGCAge: 0,
          imageGCHighThresholdPercent: 85,
          imageGCLowThresholdPercent: 80,
          ...settings,
        },
        images: async () =>
          [...this.sizes].map(([id, sizeBytes]) => ({ id, sizeBytes, isPinned: this.pinned.has(id) })),
        used: () => this.used,
        remove: async (id) => {
          this.usedBytes -= this.sizes.get(id) ?? 0;
          this.sizes.delete(id);
        },
        disk: () => ({
          capacityBytes: 1000,
          availableBytes: 1000 - this.usedBytes,
          inodes: 0,
          inodesFree: 0,
        }),
        nodeEvent: (_type, reason, message) => this.reported.push(`${reason}: ${message}`),
      });
    }

    get left(): readonly string[] {
      return [...this.sizes.keys()];
    }
  }

  const filled = async (usedBytes: number): Promise<Images> => {
    const images = new Images();
    for (const id of ['old', 'newer', 'used', 'pinned']) images.sizes.set(id, 60);
    images.used.add('used').add('newer');
    images.pinned.add('pinned');
    await images.garbage.look();
    images.used.delete('newer');
    await images.clock.advance(10 * minute);
    images.usedBytes = usedBytes;
    return images;
  };

  test('below the high mark nothing is removed; at it, the least recently used down to the low mark', async () => {
    const calm = await filled(840);
    await calm.garbage.collect();
    expect(calm.left).toHaveLength(4);
    const full = await filled(850);
    await full.garbage.collect();
    expect(full.left).toEqual(['newer', 'used', 'pinned']);
    expect(full.garbage.removed).toEqual({ age: 0, space: 1 });
  });

  test('new images are kept, and the node reports that its disk is still full', async () => {
    const images = await filled(950);
    images.sizes.set('new', 60);
    const message =
      "Insufficient free disk space on the node's image filesystem (95% of 1000 B used). Failed to free sufficient space by deleting unused images (freed 120 bytes). Investigate disk usage, as it could be used by active images, logs, volumes, or other data.";
    await expect(images.garbage.collect()).rejects.toThrow(message);
    expect(images.reported).toEqual([`FreeDiskSpaceFailed: ${message}`]);
    expect(images.left).toEqual(['used', 'pinned', 'new']);
  });

  test('images age only while they are observed', async () => {
    const images = new Images({ imageMaximumGCAge: 60 * minute });
    images.sizes.set('idle', 1).set('used', 1);
    images.used.add('used');
    await images.clock.advance(60 * minute);
    await images.garbage.collect();
    expect(images.left).toEqual(['idle', 'used']);
    await images.clock.advance(1);
    await images.garbage.collect();
    expect(images.left).toEqual(['used']);
  });
});

describe('containers', () => {
  const clock = new ManualClock();
  const container = (id: string, more: Partial<DeadContainer> = {}): DeadContainer => ({
    id,
    podUid: 'p',
    sandboxId: 's',
    name: 'c',
    createdMs: 0,
    isRunning: false,
    ...more,
  });
  const sandbox = (id: string, more: Partial<FoundSandbox> = {}): FoundSandbox => ({
    id,
    podUid: 'p',
    createdMs: 0,
    isReady: false,
    ...more,
  });
  const facts = (more: Partial<GarbageFacts>): GarbageFacts => ({
    containers: [],
    sandboxes: [],
    isKnown: (uid) => uid === 'p',
    hasEnded: () => false,
    isReferred: () => false,
    isUrgent: false,
    ...more,
  });

  test('of a pod that is known, the newest dead container of each name stays, and all that its status refers to', () => {
    const containers = [
      container('older', { createdMs: 1 }),
      container('newest', { createdMs: 2 }),
      container('other', { name: 'd' }),
      container('runs', { isRunning: true }),
    ];
    expect(garbageOf(facts({ containers }), clock).containers).toEqual(['older']);
    const isReferred = (id: string) => id === 'older';
    expect(garbageOf(facts({ containers, isReferred }), clock).containers).toEqual(['newest']);
  });

  test('everything of unknown pods is removed, except what is very new', () => {
    const containers = [
      container('gone', { podUid: 'q', sandboxId: 't' }),
      container('new', { podUid: 'q', sandboxId: 'u', createdMs: clock.now() - 1 }),
    ];
    const sandboxes = [sandbox('t', { podUid: 'q' }), sandbox('u', { podUid: 'q' })];
    expect(garbageOf(facts({ containers, sandboxes }), clock)).toEqual({
      containers: ['gone'],
      sandboxes: ['t'],
    });
  });

  test('when the disk is full, pods that have ended lose their containers', () => {
    const containers = [container('done')];
    const urgent = facts({ containers, sandboxes: [sandbox('s')], hasEnded: () => true, isUrgent: true });
    expect(garbageOf(urgent, clock)).toEqual({ containers: ['done'], sandboxes: ['s'] });
    expect(garbageOf({ ...urgent, isUrgent: false }, clock).containers).toEqual([]);
  });

  test('of a pod that is known, only the newest sandbox stays', () => {
    const sandboxes = [sandbox('first'), sandbox('second', { createdMs: 1 })];
    expect(garbageOf(facts({ sandboxes }), clock).sandboxes).toEqual(['first']);
  });
});

describe('logs', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(path.join(tmpdir(), 'logs-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  const log = () => path.join(directory, '0.log');
  const fill = (text: string) => writeFileSync(log(), text);
  const second = 1_000;
  const rotate = (atMs: number) =>
    rotateLog({ file: log(), reopen: async () => fill('') }, { bytesMax: 10, filesMax: 3 }, atMs);

  test('a full log is rotated; the latest rotated one stays plain, earlier ones are compressed, the oldest are removed', async () => {
    fill('short');
    expect(await rotate(0)).toBe(false);
    for (const each of [1, 2, 3, 4]) {
      fill(`number ${each} is full`);
      expect(await rotate(each * second)).toBe(true);
    }
    expect(readdirSync(directory).sort()).toEqual([
      '0.log',
      '0.log.19700101-000003.gz',
      '0.log.19700101-000004',
    ]);
    const old = readFileSync(path.join(directory, '0.log.19700101-000003.gz'));
    expect(gunzipSync(old).toString()).toBe('number 3 is full');
    expect(readFileSync(path.join(directory, '0.log.19700101-000004'), 'utf8')).toBe('number 4 is full');
  });

  test('leftovers of an interrupted attempt are removed', async () => {
    for (const name of ['0.log.19700101-000000', '0.log.19700101-000000.gz', '0.log.19700101-000001.tmp'])
      writeFileSync(path.join(directory, name), name);
    fill('this is full');
    await rotate(9 * second);
    expect(readdirSync(directory).sort()).toEqual([
      '0.log',
      '0.log.19700101-000000.gz',
      '0.log.19700101-000009',
    ]);
  });

  test('if the runtime does not start a new file, the old one continues', async () => {
    fill('this is full');
    const reopen = () => Promise.reject(new Error('no'));
    await expect(rotateLog({ file: log(), reopen }, { bytesMax: 10, filesMax: 3 }, 0)).rejects.toThrow('no');
    expect(readdirSync(directory)).toEqual(['0.log']);
  });

  test("logs of unknown pods and dangling links are removed; new ones, and others', are kept", async () => {
    const [podLogs, containerLogs] = ['pods', 'containers'].map((name) => path.join(directory, name));
    for (const name of ['ns_known_u1', 'ns_gone_u2', 'other'])
      mkdirSync(path.join(podLogs!, name), { recursive: true });
    mkdirSync(containerLogs!);
    symlinkSync(path.join(podLogs!, 'ns_known_u1'), path.join(containerLogs!, 'known.log'));
    symlinkSync(path.join(podLogs!, 'ns_gone_u2'), path.join(containerLogs!, 'gone.log'));
    symlinkSync('/nowhere/else', path.join(containerLogs!, 'foreign.log'));
    const directories = { root: directory, podLogs: podLogs!, containerLogs: containerLogs! };
    const isKnown = (uid: string) => uid === 'u1';
    const madeMs = statSync(path.join(podLogs!, 'ns_gone_u2')).mtimeMs;
    await removeLeftLogs(directories, isKnown, madeMs + minute - 1);
    expect(readdirSync(podLogs!)).toHaveLength(3);
    await removeLeftLogs(directories, isKnown, madeMs + minute);
    expect(readdirSync(podLogs!)).toEqual(['ns_known_u1', 'other']);
    expect(readdirSync(containerLogs!)).toEqual(['foreign.log', 'known.log']);
  });

  test('a deleted log is recreated', async () => {
    expect(await rotate(0)).toBe(true);
    expect(readdirSync(directory)).toEqual(['0.log']);
  });
});
