import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { Recording, Step } from '@coxswain/trace/recording.ts';

const project = path.join(import.meta.dirname, '../../../..');
/** The build writes it next to the bundle. */
const packed = path.join(import.meta.dirname, 'sources.json.br');

type Texts = Readonly<Record<string, string>>;

/** Adds the text of the files that the recording's steps refer to, as far as they are available. */
export function withSources(recording: Recording, packedFile = packed): Recording {
  const files = new Set<string>();
  const visit = ({ file, definition, steps }: Step): void => {
    files.add(file);
    if (definition !== undefined) files.add(definition.file);
    steps.forEach(visit);
  };
  for (const { steps } of recording.undertakings) steps.forEach(visit);
  const textOf = sourceTexts(packedFile);
  const sources = [...files]
    // A recording from elsewhere must not cause other files to be read.
    .filter((file) => /^packages\/[\w-]+\/src\/[\w./-]+\.ts$/.test(file) && !file.includes('..'))
    .map((file) => [file, textOf(file)] as const)
    .filter(([, text]) => text !== undefined);
  return {
    ...recording,
    sources: { ...(Object.fromEntries(sources) as Texts), ...recording.sources },
  };
}

/** The directories of `packages`. */
export function packageNames(packedFile = packed): readonly string[] {
  const texts = packedTexts(packedFile);
  if (texts === undefined) return readdirSync(path.join(project, 'packages'));
  return [...new Set(Object.keys(texts).map((file) => file.split('/')[1]!))];
}

const packedTexts = (packedFile: string): Texts | undefined =>
  existsSync(packedFile)
    ? (JSON.parse(brotliDecompressSync(readFileSync(packedFile)).toString()) as Texts)
    : undefined;

/** Reads from the package's own file, or from a checkout. */
function sourceTexts(packedFile: string): (file: string) => string | undefined {
  const texts = packedTexts(packedFile);
  if (texts !== undefined) return (file) => (Object.hasOwn(texts, file) ? texts[file] : undefined);
  return (file) => {
    const place = path.join(project, file);
    return existsSync(place) ? readFileSync(place, 'utf8') : undefined;
  };
}
