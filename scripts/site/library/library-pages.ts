/**
 * The reference of the libraries: TypeDoc reads their public types, with a TypeScript of its own in `site/`, and writes a
 * page for each. What lacks a description or an example that compiles fails the build.
 */

import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { compileExamples, type Exported } from './compile-examples.ts';
import { examplesIn, lackingIn } from './documented.ts';
import type { Project } from './reflections.ts';

const root = path.join(import.meta.dirname, '../../..');
const site = path.join(root, 'site');

/** There are too many headings to list the deepest beside the page. */
const frontMatter = '---\noutline: [2, 3]\n---\n\n';

/** @param pages the directory that gets them */
export async function writeLibraryPages(pages: string): Promise<void> {
  const described = path.join(root, 'dist/site/libraries.json');
  run(path.join(site, 'node_modules/typedoc/bin/typedoc'), ['--out', pages, '--json', described]);
  const project = JSON.parse(await readFile(described, 'utf8')) as Project;
  const lacking = lackingIn(project);
  if (lacking.length > 0) throw new Error(`the reference lacks:\n${lacking.join('\n')}`);
  await compileExamples(examplesIn(project), exportedBy(project));
  for (const { name } of project.children) {
    const page = path.join(pages, `${name}.md`);
    await writeFile(page, frontMatter + withAnchors(await readFile(page, 'utf8')));
  }
}

/** A type and a function may differ in one capital letter: TypeDoc's anchors tell them apart, in the form of VitePress. */
const withAnchors = (text: string): string =>
  text.replaceAll(/^<a id="([^"]+)"><\/a>\n\n(#+ .*)$/gm, '$2 {#$1}');

const exportedBy = ({ children }: Project): Exported =>
  Object.fromEntries(
    children.map(({ name, children: exported = [] }) => [name, new Set(exported.map((one) => one.name))]),
  );

function run(script: string, args: readonly string[]): void {
  const options = [
    '--options',
    path.join(site, 'typedoc.json'),
    '--logLevel',
    'Warn',
    '--treatWarningsAsErrors',
  ];
  const { status } = spawnSync(process.execPath, [script, ...options, ...args], {
    cwd: site,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`TypeDoc ended with ${status}`);
}
