import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { PageParts } from '@coxswain/trace/html.ts';

/** Returns script and style of a recording's page: as bundled with this program, or from the sources next to it. */
export async function pageParts(): Promise<PageParts> {
  const bundled = path.join(import.meta.dirname, 'recording-page.json');
  if (existsSync(bundled)) return JSON.parse(readFileSync(bundled, 'utf8')) as PageParts;
  const bundler = path.join(import.meta.dirname, '../../../../scripts/packs/recording-page.ts');
  const { recordingPageParts } = (await import(bundler)) as { recordingPageParts(): Promise<PageParts> };
  return recordingPageParts();
}
