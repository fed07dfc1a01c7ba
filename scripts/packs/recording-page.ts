/** The script and the style of the page that shows a recording, as `packages/trace/src/html.ts` takes them. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { rolldown } from 'rolldown';

const page = path.join(import.meta.dirname, '../../packages/trace/page');

export async function recordingPageParts(): Promise<{ readonly script: string; readonly style: string }> {
  const build = await rolldown({ input: path.join(page, 'main.ts'), platform: 'browser', logLevel: 'warn' });
  const { output } = await build.generate({ format: 'iife', minify: true, sourcemap: false });
  await build.close();
  // An element ends with its first end tag, whatever the script means by it.
  const script = output[0].code.trim().replaceAll('</script', '<\\/script');
  return { script, style: (await readFile(path.join(page, 'page.css'), 'utf8')).trim() };
}
