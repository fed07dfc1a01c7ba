/**
 * Compiles the examples of the reference. Each is the body of a function in a module of its own, which imports what it
 * names: of its own library, of the others, and the values of `example-values.ts`.
 */

import { spawnSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Example } from './documented.ts';

const root = path.join(import.meta.dirname, '../../..');
const directory = path.join(root, 'dist/site/examples');

/** Where a library is in this repository. */
const sources: Readonly<Record<string, string>> = {
  'coxswain/testing': 'packages/coxswain/types/testing.d.ts',
  'coxswain/browser': 'packages/coxswain/types/browser.d.ts',
  '@coxswain/client': 'packages/client/src/index.ts',
  '@coxswain/client/node': 'packages/client/src/node.ts',
  '@coxswain/controller': 'packages/controller/src/index.ts',
  '@coxswain/controller/node': 'packages/controller/src/node.ts',
};

/** The names that a module exports. */
export type Exported = Readonly<Record<string, ReadonlySet<string>>>;

/** @throws Error when one does not compile; the compiler says which */
export async function compileExamples(examples: readonly Example[], exported: Exported): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const all = { ...exported, '#values': await valueNames() };
  const files = await Promise.all(
    examples.map(async (example, index) => {
      const file = `${example.of}-${index}.ts`;
      await writeFile(path.join(directory, file), moduleOf(example, all));
      return file;
    }),
  );
  const compilerOptions = {
    verbatimModuleSyntax: false,
    isolatedModules: false,
    paths: Object.fromEntries(
      Object.entries({ ...sources, '#values': 'scripts/site/library/example-values.ts' }).map(
        ([name, file]) => [name, [path.relative(directory, path.join(root, file))]],
      ),
    ),
  };
  await writeFile(
    path.join(directory, 'tsconfig.json'),
    JSON.stringify({ extends: path.join(root, 'tsconfig.json'), compilerOptions, include: [], files }),
  );
  const { status } = spawnSync(path.join(root, 'node_modules/.bin/tsc'), ['-p', directory], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('examples of the reference do not compile');
}

function moduleOf({ library, code }: Example, exported: Exported): string {
  const named = new Set(code.match(/[A-Za-z_$][\w$]*/g));
  const imports: string[] = [];
  for (const from of [library, ...Object.keys(exported)]) {
    const names = [...exported[from]!].filter((name) => named.delete(name));
    if (names.length > 0) imports.push(`import { ${names.join(', ')} } from '${from}';\n`);
  }
  return `${imports.join('')}export async function example() {\n${code}\n}\n`;
}

async function valueNames(): Promise<ReadonlySet<string>> {
  const text = await readFile(path.join(import.meta.dirname, 'example-values.ts'), 'utf8');
  const declared = text.matchAll(/^export (?:declare )?(?:const|function|interface) (\w+)/gm);
  const passedOn = text.matchAll(/^export \{ (?:default as )?([\w, ]+) \}/gm);
  return new Set([
    ...Array.from(declared, ([, name]) => name!),
    ...Array.from(passedOn, ([, names]) => names!.split(', ')).flat(),
  ]);
}
