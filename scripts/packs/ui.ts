/** The page of `coxswain ui`: bundled by Vite, with kubectl beside it, and compressed once for all who load it. */

import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { build, type Plugin } from 'vite';
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

/** Writes its files into `folder`, each under its name with `.br` after it. */
export async function buildUi({
  root,
  folder,
}: {
  readonly root: string;
  readonly folder: string;
}): Promise<void> {
  const uncompressed = `${folder}.new`;
  for (const font of fonts) notePackage(font, path.join(root, 'node_modules', font));
  await build({
    root: path.join(root, 'packages/ui'),
    configFile: false,
    logLevel: 'warn',
    plugins: [notingPackages, recordingPage],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: uncompressed,
      emptyOutDir: true,
      target: browsers,
      modulePreload: { polyfill: false },
      // The content security policy allows no data in place of files.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: {
        input: ['index.html', 'recording.html'].map((page) => path.join(root, 'packages/ui', page)),
        // How long it took is no fault of the page.
        checks: { bundlerTimings: false },
        onwarn(warning) {
          throw new Error(warning.message);
        },
      },
    },
  });
  await buildForBrowser({
    root,
    folder: path.join(uncompressed, 'kubectl'),
    entries: { kubectl: path.join(root, 'packages/coxswain/src/browser/kubectl.ts') },
  });
  await rm(folder, { recursive: true, force: true });
  const names = await readdir(uncompressed, { recursive: true, withFileTypes: true });
  await Promise.all(
    names
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const source = path.join(entry.parentPath, entry.name);
        const target = path.join(folder, `${path.relative(uncompressed, source)}.br`);
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
