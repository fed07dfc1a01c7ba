import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PersistentVolume } from '../objects.ts';
import { defaultSettings } from '../settings.ts';
import { readPodTemplate } from './pod-template-file.ts';
import { wipingPod } from './wiping-pod.ts';

let directory: string;
beforeEach(() => void (directory = mkdtempSync(path.join(tmpdir(), 'recycler-'))));
afterEach(() => rmSync(directory, { recursive: true }));

function fileWith(text: string): string {
  const file = path.join(directory, 'pod.yaml');
  writeFileSync(file, text);
  return file;
}

const volume = (storage: string, source: object): PersistentVolume =>
  ({ metadata: { name: 'v' }, spec: { capacity: { storage }, ...source } }) as unknown as PersistentVolume;

const nfs = { nfs: { server: 's', path: '/p' } };

test('a volume is wiped by a pod in the default namespace that gets time for its size', () => {
  const { recyclers } = defaultSettings;
  const deadline = (storage: string, source: object) =>
    wipingPod(volume(storage, source), recyclers)?.spec?.activeDeadlineSeconds;

  expect(deadline('1Gi', { hostPath: { path: '/d' } })).toBe(60);
  expect(deadline('1Gi', nfs)).toBe(300);
  expect(deadline('20Gi', nfs)).toBe(600);
  expect(wipingPod(volume('1Gi', nfs), recyclers)?.metadata).toEqual({
    name: 'recycler-for-v',
    namespace: 'default',
  });
});

test('a pod from a file wipes the volume that takes the place of its first', () => {
  const template = readPodTemplate(
    fileWith(`
apiVersion: v1
kind: Pod
metadata: {generateName: x-, namespace: wipers, labels: {a: b}}
spec:
  containers: [{name: c, image: i}]
  volumes: [{name: one, emptyDir: {}}, {name: two, emptyDir: {}}]
`),
  );
  const settings = { secondsMin: 7, secondsPerGibibyte: 5, ...template };
  const pod = wipingPod(volume('2Gi', nfs), { ...defaultSettings.recyclers, nfs: settings });

  expect(pod?.metadata).toEqual({ name: 'recycler-for-v', namespace: 'wipers', labels: { a: 'b' } });
  expect(pod?.spec?.volumes).toEqual([
    { name: 'one', ...nfs },
    { name: 'two', emptyDir: {} },
  ]);
  expect(pod?.spec?.activeDeadlineSeconds).toBe(10);
});

test('a file without a pod that has a volume is reported at the start', () => {
  expect(readPodTemplate('')).toEqual({});
  expect(() => readPodTemplate(fileWith(''))).toThrow('file was empty');
  expect(() => readPodTemplate(fileWith('kind: Service'))).toThrow('failed decoding file');
  expect(() => readPodTemplate(fileWith('{apiVersion: v1, kind: Pod, spec: {containers: []}}'))).toThrow(
    'does not contain any volume(s)',
  );
  expect(() => readPodTemplate(path.join(directory, 'none'))).toThrow('failed to read file path');
});
