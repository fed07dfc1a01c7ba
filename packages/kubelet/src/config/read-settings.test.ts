import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settingsOf } from './read-settings.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'kubelet-settings-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const document = (settings: object): string =>
  JSON.stringify({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    ...settings,
  });
function write(name: string, text: string): string {
  const file = path.join(directory, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
const read = (values: Readonly<Record<string, unknown>>) => settingsOf(values, (key) => key in values);

test('drop-in files override the configuration file, one after the other, and flags take precedence', () => {
  const config = write(
    'config.yaml',
    document({ maxPods: 10, port: 1, evictionSoft: { 'memory.available': '1Gi' } }),
  );
  write('parts/10.conf', document({ maxPods: 20, port: 2, syncFrequency: '30s' }));
  write('parts/more/20.conf', document({ maxPods: 30, evictionSoft: { 'nodefs.available': '5%' } }));
  write('parts/90.txt', 'no configuration');
  expect(read({ config, 'config-dir': path.join(directory, 'parts'), port: 3 })).toMatchObject({
    maxPods: 30,
    port: 3,
    syncFrequency: 30_000,
    evictionSoft: { 'memory.available': '1Gi', 'nodefs.available': '5%' },
  });
});

test.each([
  ['maxPods: 3', 'no apiVersion/kind'],
  ['apiVersion: v1\nkind: Pod', 'unknown apiVersion/kind: v1, Kind=Pod'],
  ['{', 'error: '],
])('a file of the directory that is no configuration is refused: %s', (text, why) => {
  const file = write('parts/10.conf', text);
  expect(() => read({ 'config-dir': path.join(directory, 'parts') })).toThrow(
    `failed to load kubelet dropin file, path: ${file}, ${why}`,
  );
});
