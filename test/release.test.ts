/** What `npm run release-version` changes is there, and has the version of the packages. */

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { versionPlaces } from '../scripts/release/version-places.ts';

const read = (file: string): string => readFileSync(path.join(import.meta.dirname, '..', file), 'utf8');
const { version } = JSON.parse(read('packages/coxswain/package.json')) as { version: string };

test.each(versionPlaces)('%s has the version of the packages', (file, place) => {
  const found = [...read(file).matchAll(new RegExp(place, `${place.flags.replace('g', '')}g`))];
  expect(found.length).toBeGreaterThan(0);
  for (const [whole, before] of found) expect(whole.slice(before!.length)).toBe(version);
});

test('changesets keeps all that is published at one version', () => {
  const { fixed } = JSON.parse(read('.changeset/config.json')) as { fixed: readonly (readonly string[])[] };
  expect(fixed).toEqual([['coxswain', '@coxswain/*', 'create-coxswain']]);
});

test('the release workflow publishes every client', () => {
  const workflow = read('.github/workflows/release.yml');
  const clients = readdirSync(path.join(import.meta.dirname, '../clients'), { withFileTypes: true });
  for (const { name } of clients.filter((entry) => entry.isDirectory()))
    expect(workflow).toContain(`clients/${name}`);
});
