#!/usr/bin/env node
// Enters the program. An installed package runs on the Node that started it; a checkout runs on the pinned one, from the
// bundle where it has been built, from the sources otherwise.

import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { nodeFlags, pinnedMajor, runOnPinnedNode } from './node.mjs';
import { whyTooOld } from './oldest-node.cjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const published = path.join(here, '../lib/main.mjs');
const built = path.join(here, '../../../dist/npm/lib/main.mjs');
const source = path.join(here, '../src/main.ts');

if (existsSync(published)) {
  if (whyTooOld() !== undefined) fail(whyTooOld());
  await run(published);
} else if (Number(process.versions.node.split('.')[0]) >= pinnedMajor) {
  const fromSource = process.env.COXSWAIN_FROM_SOURCE === '1';
  await run(existsSync(built) && !fromSource ? built : source);
} else {
  runOnPinnedNode([...nodeFlags, fileURLToPath(import.meta.url), ...process.argv.slice(2)]);
}

async function run(main) {
  const { runMain } = await import(pathToFileURL(main).href);
  await runMain(process.argv.slice(2));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
