import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Recording, Step } from '@coxswain/trace/recording.ts';

const project = path.join(import.meta.dirname, '../../../..');

/** With the text of the files that its steps name, as far as they are there. */
export async function withSources(recording: Recording): Promise<Recording> {
  const files = new Set<string>();
  const visit = ({ file, definition, steps }: Step): void => {
    files.add(file);
    if (definition !== undefined) files.add(definition.file);
    steps.forEach(visit);
  };
  for (const { steps } of recording.undertakings) steps.forEach(visit);
  const found = [...files]
    // What a recording from elsewhere names is none of this page's business.
    .filter((file) => /^packages\/[\w-]+\/src\/[\w./-]+\.ts$/.test(file) && !file.includes('..'))
    .map(
      async (file) =>
        [file, await readFile(path.join(project, file), 'utf8').catch(() => undefined)] as const,
    );
  const sources = (await Promise.all(found)).filter(([, text]) => text !== undefined);
  return {
    ...recording,
    sources: { ...(Object.fromEntries(sources) as Record<string, string>), ...recording.sources },
  };
}
