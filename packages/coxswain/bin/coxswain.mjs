#!/usr/bin/env node
// Enters the program on the pinned Node: from the bundle where this is an installed package or a checkout
// that has been built, from the sources otherwise.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { nodeFlags, pinnedMajor, pinnedNode } from './node.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const places = [
  path.join(here, '../lib/main.mjs'),
  path.join(here, '../../../dist/npm/lib/main.mjs'),
  path.join(here, '../src/main.ts'),
];
const fromSource = process.env.COXSWAIN_FROM_SOURCE === '1';
const main = places.find((place) => existsSync(place) && (!fromSource || place.endsWith('.ts')));
if (main === undefined) {
  console.error(`COXSWAIN_FROM_SOURCE=1: there are no sources at ${places.at(-1)}`);
  process.exit(1);
}

if (Number(process.versions.node.split('.')[0]) >= pinnedMajor) {
  const { runMain } = await import(main);
  await runMain(process.argv.slice(2));
} else {
  let node;
  try {
    node = pinnedNode();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
  const child = spawn(node, [...nodeFlags, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
  });
}
