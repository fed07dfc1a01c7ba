/**
 * Where each step stands in the sources: file and line of the place that names it. Found by reading the
 * sources, so that naming a step costs a running server nothing. The bundle carries the table as data.
 */

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

export interface StepSource {
  /** Relative to the repository: `packages/apiserver/src/filters/authorize.ts`. */
  readonly file: string;
  readonly line: number;
}

/** By step name; the first place in path order where a name stands is its source. */
export type StepSources = Readonly<Record<string, StepSource>>;

/** A step's name behind `step:`, in a call of `step` or `runStep`, or as the name of a plugin. */
const namedStep =
  /(?:\bstep:\s*|\bstep\(\s*|\bname:\s*(?='[A-Z]\w+')|\brunStep\(\s*[^,()]*(?:\([^()]*\))?[^,()]*,\s*)'([^']+)'/g;

/** The source of a step; one of a plugin stands where the plugin, its last part, is named. */
export const sourceOf = (sources: StepSources, step: string): StepSource | undefined =>
  sources[step] ?? sources[step.slice(step.lastIndexOf('/') + 1)];

/** Reads the table that was made when this program was bundled, or the sources beside it. */
export async function loadStepSources(): Promise<StepSources> {
  const table = path.join(import.meta.dirname, 'steps.json');
  if (existsSync(table)) return JSON.parse(await readFile(table, 'utf8')) as StepSources;
  return stepSources(path.join(import.meta.dirname, '../../../..'));
}

export async function stepSources(root: string): Promise<StepSources> {
  const found: Record<string, StepSource> = {};
  for (const name of (await readdir(path.join(root, 'packages'))).toSorted()) {
    const folder = path.join(root, 'packages', name, 'src');
    if (!existsSync(folder)) continue;
    const files = (await readdir(folder, { recursive: true })).filter(isSource).toSorted();
    for (const file of files)
      addSteps(
        found,
        path.relative(root, path.join(folder, file)),
        await readFile(path.join(folder, file), 'utf8'),
      );
  }
  return found;
}

const isSource = (file: string): boolean => file.endsWith('.ts') && !file.endsWith('.test.ts');

function addSteps(found: Record<string, StepSource>, file: string, text: string): void {
  for (const match of text.matchAll(namedStep)) {
    const name = match[1];
    if (name === undefined || name in found) continue;
    const start = match.index + match[0].lastIndexOf(`'${name}'`);
    found[name] = { file: file.split(path.sep).join('/'), line: text.slice(0, start).split('\n').length };
  }
}
