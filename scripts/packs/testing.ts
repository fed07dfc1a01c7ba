/**
 * Makes `lib/testing.pack`, the test library in one file with the bytecode of what clusters of tests run, and
 * `lib/testing.mjs`, which reads it.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import type { Beginning } from '../../packages/coxswain/src/testing/beginnings.ts';
import { kindOf, makeBeginning } from '../../packages/coxswain/src/testing/create-cluster.ts';
import type { CreateClusterOptions } from '../../packages/coxswain/src/testing/create-cluster.ts';
import { saveBeginnings } from '../../packages/coxswain/src/testing/saved-beginnings.ts';
import { pinnedMajor } from '../../packages/coxswain/bin/node.mjs';
import { bundledPack, warmedUp } from './bundled-pack.ts';
import type { PackOptions } from './bundled-pack.ts';

/** @param modules beside it, the same as modules, for test runners with a global object of their own */
export async function buildTestingPack(options: PackOptions, modules: string): Promise<void> {
  const { folder } = options;
  await saveUsualBeginnings(path.join(folder, 'lib/beginnings'));
  const file = await bundledPack('testing', 'packages/coxswain/src/testing/index.ts', {
    ...options,
    keepsLines: true,
  });
  const home = await mkdtemp(path.join(os.tmpdir(), 'coxswain-build-'));
  try {
    await warmedUp(file, 'testing-warm-up.ts', home, {});
  } finally {
    await rm(home, { recursive: true, force: true });
  }
  const { openPack } = createRequire(import.meta.url)('../../packages/coxswain/bin/kubectl.cjs');
  const names = Object.keys(openPack(file).load('testing.cjs'));
  await writeFile(path.join(folder, 'lib/testing.mjs'), doorText(names, modules));
}

/** What tests ask for most often begins with what lies in the package. */
const usual: readonly CreateClusterOptions[] = [
  {},
  ...[0, 2, 3, 5].map((nodes) => ({ nodes })),
  ...[0, 1].map((nodes) => ({ controllers: false as const, nodes })),
  { controllers: false, nodes: 0, scheduler: false },
];

/** Before the bytecode is made: so it is that of clusters which begin with them. */
async function saveUsualBeginnings(folder: string): Promise<void> {
  const made: Record<string, Beginning> = {};
  for (const options of usual) made[kindOf(options)] = await makeBeginning(options);
  await saveBeginnings(folder, made);
}

/**
 * Objects of another global object would be no `Array` and no `Error` to the tests, so there are modules for these.
 * Whoever has an older Node hears it before anything else fails.
 */
const doorText = (
  names: readonly string[],
  modules: string,
): string => `import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
if (Number.parseInt(process.versions.node, 10) < ${pinnedMajor}) {
  throw new Error(
    \`coxswain/testing runs in the process of your tests, which needs Node ${pinnedMajor} or newer; this is \${process.version}. Run them with such a Node, or start "npx coxswain test-server", which brings its own, and talk to that.\`,
  );
}
const require = createRequire(import.meta.url);
const fromPack = () => require('../bin/kubectl.cjs').openPack(path.join(import.meta.dirname, 'testing.pack')).load('testing.cjs');
const isOwnGlobal = vm.runInThisContext('Object') === Object;
export const { ${names.join(', ')} } = isOwnGlobal ? fromPack() : require('./${modules}');
`;
