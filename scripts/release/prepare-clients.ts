/**
 * Completes the clients for their registries, in a release workflow: says in each manifest where the sources are, and puts the
 * licence beside those that lack it.
 */

import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryUrl } from '../packs/repository.ts';
import { clientManifests } from './client-manifests.ts';

if (repositoryUrl === undefined)
  throw new Error('GITHUB_SERVER_URL and GITHUB_REPOSITORY must say where the sources are');
const root = path.join(import.meta.dirname, '../..');
for (const [name, addRepository] of Object.entries(clientManifests)) {
  const manifest = path.join(root, name);
  writeFileSync(manifest, addRepository(readFileSync(manifest, 'utf8'), repositoryUrl));
  const licence = path.join(path.dirname(manifest), 'LICENSE');
  if (!existsSync(licence)) copyFileSync(path.join(root, 'LICENSE'), licence);
}
