import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeDefaultNetwork } from './default-network.ts';

function emptyDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'cox-cni-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('where there is no network, pods get links of their own and addresses of the range', () => {
  const directory = emptyDirectory();
  const file = writeDefaultNetwork({
    directory,
    rootDirectory: directory,
    podCidr: '10.244.3.0/24',
    masquerades: false,
  });
  const written = JSON.parse(readFileSync(file ?? '', 'utf8')) as { readonly plugins: readonly object[] };
  expect(written.plugins).toMatchObject([
    { type: 'ptp', ipMasq: false, ipam: { type: 'host-local', ranges: [[{ subnet: '10.244.3.0/24' }]] } },
    { type: 'portmap', capabilities: { portMappings: true } },
  ]);
});

test('an existing network configuration is kept', () => {
  const directory = emptyDirectory();
  writeFileSync(path.join(directory, '05-theirs.conflist'), '{}');
  expect(
    writeDefaultNetwork({ directory, rootDirectory: directory, podCidr: '10.244.0.0/24' }),
  ).toBeUndefined();
  expect(readdirSync(directory)).toEqual(['05-theirs.conflist']);
});

test('a range that has changed is written again', () => {
  const directory = emptyDirectory();
  writeDefaultNetwork({ directory, rootDirectory: directory, podCidr: '10.244.0.0/24' });
  const file = writeDefaultNetwork({ directory, rootDirectory: directory, podCidr: '10.244.1.0/24' });
  expect(readFileSync(file ?? '', 'utf8')).toContain('10.244.1.0/24');
});
