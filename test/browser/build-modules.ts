/** Builds `dist/browser` once, for all files of tests that open pages with it. */

import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildBrowser, type BuiltModule } from '../../scripts/packs/browser.ts';
import { builtDirectory } from './chromium-page.ts';

declare module 'vitest' {
  interface ProvidedContext {
    modules: readonly BuiltModule[];
  }
}

export async function setup(project: TestProject): Promise<void> {
  const root = path.join(import.meta.dirname, '../..');
  project.provide('modules', await buildBrowser({ root, directory: builtDirectory }));
}
