/** The page of `coxswain ui`: bundled by Vite, with kubectl beside it, and compressed once for all who load it. */

import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { build, type InlineConfig, type Plugin } from 'vite';
import { recordingBody } from '../../packages/trace/src/html.ts';
import { buildForBrowser } from './browser.ts';
import { notePackage, notingPackages } from './third-party.ts';

const compress = promisify(brotliCompress);

/** What users look at needs no more than the browsers of the last two years. */
const browsers = ['chrome128', 'edge128', 'firefox132', 'safari18'];

const fonts = ['@fontsource-variable/inter', '@fontsource-variable/jetbrains-mono'];

/** The markup of a recording's page is that of the page in one file. */
const recordingPage: Plugin = {
  name: 'recording-page',
  transformIndexHtml: (html) => html.replace('<!-- the page of @coxswain/trace -->', () => recordingBody),
};

/** Writes its files into `directory`, each under its name with `.br` after it. */
export async function buildUi({
  root,
  directory,
}: {
  readonly root: string;
  readonly directory: string;
}): Promise<void> {
  const uncompressed = `${directory}.new`;
  await rm(uncompressed, { recursive: true, force: true });
  for (const font of fonts) notePackage(font, path.join(root, 'node_modules', font));
  for (const page of ['index.html', 'recording.html'])
    await build(options(path.join(root, 'packages/ui'), page, uncompressed));
  await buildForBrowser({
    root,
    directory: path.join(uncompressed, 'kubectl'),
    entries: { kubectl: path.join(root, 'packages/coxswain/src/browser/kubectl.ts') },
  });
  await rm(directory, { recursive: true, force: true });
  const names = await readdir(uncompressed, { recursive: true, withFileTypes: true });
  await Promise.all(
    names
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const source = path.join(entry.parentPath, entry.name);
        const target = path.join(directory, `${path.relative(uncompressed, source)}.br`);
        const bytes = await readFile(source);
        await mkdir(path.dirname(target), { recursive: true });
        await writeFile(
          target,
          await compress(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
        );
      }),
  );
  await rm(uncompressed, { recursive: true, force: true });
}

/** Pages are built apart, so that what one needs at first comes in one file, and nothing of the other with it. */
const options = (root: string, page: string, outDir: string): InlineConfig => ({
  root,
  configFile: false,
  logLevel: 'warn',
  plugins: [notingPackages, recordingPage],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir,
    emptyOutDir: false,
    target: browsers,
    modulePreload: { polyfill: false },
    // The content security policy allows no data in place of files.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: path.join(root, page),
      output: { codeSplitting: { groups: togetherFrom(root) } },
      // How long it took, and what a room of another package loads lazily that we need at once, are no faults of the page.
      checks: { bundlerTimings: false, ineffectiveDynamicImport: false },
      onwarn(warning) {
        throw new Error(warning.message);
      },
    },
  },
});

/** A browser has six connections: dozens of small files would wait for each other. */
const togetherFrom = (root: string) => [
  { name: 'first', tags: ['$initial' as const] },
  { name: 'overview', test: (id: string) => id.startsWith(path.join(root, 'src/pages/overview/')) },
];
