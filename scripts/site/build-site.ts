/**
 * Builds the documentation site: gathers the pages of `docs/` and those that are made from the program itself, turns
 * links to sources into links to pages of the site, has VitePress render them into `dist/site/html`, and packs that for
 * `coxswain docs`, into the package as well where it has been built.
 *
 * `npm run site` builds, `npm run site -- --serve` builds and serves it.
 */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { buildBrowser } from '../packs/browser.ts';
import { liveDirectory, packDocs } from '../packs/docs.ts';
import { commandPages } from './command-pages.ts';
import { writeLibraryPages } from './library/library-pages.ts';
import { withLiveClusters } from './live-clusters.ts';
import { pageOfDocument, SourcePages } from './source-pages.ts';
import { standIn } from './stand-ins.ts';

const root = path.join(import.meta.dirname, '../..');
const site = path.join(root, 'site');
const pages = path.join(root, 'dist/site/pages');

/** Files that are pages of the site, too, without `.md`. */
const adopted: Readonly<Record<string, string>> = {
  'packages/coxswain/src/testing/README.md': 'reference/testing',
  'packages/client/README.md': 'reference/client',
  'packages/controller/README.md': 'reference/controller',
  'packages/api/README.md': 'reference/api',
  'CHANGELOG.md': 'reference/changelog',
};

await rm(pages, { recursive: true, force: true });
const sources = new SourcePages(root, adopted);
for (const file of await markdownIn('docs')) {
  const text = sources.linked(file, await readFile(path.join(root, file), 'utf8'));
  await write(pageOfDocument(file), withFileNames(withLiveClusters(text)));
}
for (const [file, page] of Object.entries(adopted))
  await write(`${page}.md`, sources.linked(file, await readFile(path.join(root, file), 'utf8')));
for (const [file, text] of await commandPages()) await write(`reference/commands/${file}`, text);
for (const [file, text] of await sources.pages()) await write(file, text);
install();
await writeLibraryPages(path.join(pages, 'reference/libraries'));
await standInForMissing();
await cp(path.join(root, 'packages/ui/public/icon.svg'), path.join(pages, 'public/icon.svg'));
await render();

/** A block of code with a name becomes a group of one, whose tab shows the name. */
function withFileNames(text: string): string {
  return text.replaceAll(
    /^```\w+ \[[^\]]+\]\n[\s\S]*?^```$/gm,
    (block) => `::: code-group\n\n${block}\n\n:::`,
  );
}

async function standInForMissing(): Promise<void> {
  const written = await readdir(pages, { recursive: true });
  const english = written.filter((file) => file.endsWith('.md') && !file.startsWith('zh/'));
  for (const file of english)
    if (!existsSync(path.join(pages, 'zh', file))) await write(`zh/${file}`, standIn(file.slice(0, -3)));
}

async function markdownIn(directory: string): Promise<string[]> {
  const found = await readdir(path.join(root, directory), { recursive: true });
  return found.filter((file) => file.endsWith('.md')).map((file) => `${directory}/${file}`);
}

async function write(file: string, text: string): Promise<void> {
  const target = path.join(pages, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, text);
}

/** VitePress and TypeDoc are installed when they are first needed. */
function install(): void {
  if (!existsSync(path.join(site, 'node_modules/typedoc')))
    run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', site]);
}

async function render(): Promise<void> {
  const vitepress = path.join(site, 'node_modules/vitepress/bin/vitepress.js');
  run(process.execPath, [vitepress, 'build', site]);
  await buildBrowser({ root, directory: path.join(root, 'dist/site/html', liveDirectory) });
  await packDocs();
  if (process.argv.includes('--serve')) run(process.execPath, [vitepress, 'preview', site]);
}

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, SITE_PAGES: pages },
  });
  if (status !== 0) process.exit(status ?? 1);
}
