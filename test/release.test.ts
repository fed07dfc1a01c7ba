/** What `npm run release-version` changes is there, and has the version of the packages. */

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { clientManifests } from '../scripts/release/client-manifests.ts';
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

/** What a registry refuses a package without, or what its page is empty without. */
const demanded: Readonly<Record<keyof typeof clientManifests, readonly RegExp[]>> = {
  'clients/testcontainers-node/package.json': [
    /"url": "git\+https:\/\/example\.com\/a\/b\.git"/,
    /"directory": "clients\/testcontainers-node"/,
  ],
  'clients/python/pyproject.toml': [
    /^license = /m,
    /^readme = /m,
    /^authors = /m,
    /^Source = "https:\/\/example\.com\/a\/b"$/m,
  ],
  'clients/rust/Cargo.toml': [
    /^license = /m,
    /^description = /m,
    /^repository = "https:\/\/example\.com\/a\/b"$/m,
  ],
  'clients/java/pom.xml': [
    /<name>.+<\/name>/,
    /<description>.+<\/description>/,
    /<url>https:\/\/example\.com\/a\/b<\/url>/,
    /<license><name>.+<\/name><url>.+<\/url><\/license>/,
    /<developer><name>.+<\/name><\/developer>/,
    /<connection>scm:git:https:\/\/example\.com\/a\/b\.git<\/connection>/,
  ],
};

test.each(Object.entries(clientManifests))('%s has what its registry demands', (file, addRepository) => {
  const manifest = addRepository(read(file), 'https://example.com/a/b');
  for (const part of demanded[file]!) expect(manifest).toMatch(part);
});
