/** Reads objects from files, directories, kustomizations and standard input. */
import path from 'node:path';
import type { KubeObject } from '@coxswain/apimachinery';
import { yamlDocuments } from '@coxswain/apimachinery/yaml/documents.ts';
import { YamlError, readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { findManifests } from '@coxswain/kubectl/resource/files.ts';
import { rules, type Finding } from './finding.ts';
import type { Manifest, ManifestSource } from './manifest.ts';

export interface ManifestsRead {
  readonly manifests: readonly Manifest[];
  /** Findings for texts that are not objects. */
  readonly findings: readonly Finding[];
  /** The number of files and streams that were read. */
  readonly sourceCount: number;
}

export interface ManifestPlaces {
  readonly filenames: readonly string[];
  readonly recursive: boolean;
  readonly kustomizations: readonly string[];
  readonly workingDirectory: string;
  stdin(): Promise<string>;
}

/** @throws Error for a source that is missing, can't be read or can't be built */
export async function readManifests(places: ManifestPlaces): Promise<ManifestsRead> {
  const { filenames, recursive, workingDirectory, kustomizations } = places;
  const { sources, failures } = await findManifests(filenames, recursive, places);
  if (failures[0] !== undefined) throw failures[0];
  const read: DocumentsRead[] = [];
  for (const source of sources) {
    if (kustomizationNames.has(path.basename(source.name))) continue;
    const name = source.name === 'STDIN' ? 'stdin' : source.name;
    read.push(manifestsIn(await source.read(), { name }));
  }
  for (const directory of kustomizations) read.push(await built(directory, workingDirectory));
  return {
    manifests: read.flatMap(({ manifests }) => manifests),
    findings: read.flatMap(({ findings }) => findings),
    sourceCount: read.length,
  };
}

/** Files that `-k` reads, and that are never sent to the server. */
const kustomizationNames = new Set(['kustomization.yaml', 'kustomization.yml']);

type DocumentsRead = Pick<ManifestsRead, 'manifests' | 'findings'>;

async function built(directory: string, workingDirectory: string): Promise<DocumentsRead> {
  const [{ buildKustomization }, { diskFiles }] = await Promise.all([
    import('@coxswain/kustomize/build.ts'),
    import('@coxswain/kustomize/loading/disk.ts'),
  ]);
  const text = buildKustomization(diskFiles(workingDirectory), directory).toYaml();
  const { manifests, findings } = manifestsIn(text, { name: directory });
  // Users never see the lines of the built output.
  return {
    manifests: manifests.map((manifest) => ({ ...manifest, text: '' })),
    findings: findings.map((finding) => ({ ...finding, line: undefined })),
  };
}

/** Returns the objects of a text in JSON or YAML, including each item of a list. */
function manifestsIn(stream: string, source: ManifestSource): DocumentsRead {
  const manifests: Manifest[] = [];
  const findings: Finding[] = [];
  for (const { text, line } of yamlDocuments(stream)) {
    const document = { text, line, source: sourceOf(text, source) };
    const problem = (rule: string, message: string, at = line): void =>
      void findings.push({
        severity: 'error',
        rule,
        message,
        source: document.source,
        line: at,
        manifest: undefined,
      });
    for (const { value, path: itsPath } of objectsIn(text, line, problem)) {
      if (isObject(value)) manifests.push({ ...document, path: itsPath, object: value });
      else problem(rules.syntax, 'not a Kubernetes object: apiVersion and kind are missing');
    }
  }
  return { manifests, findings };
}

/** `helm template` names the template of each document in a comment. */
function sourceOf(text: string, { name }: ManifestSource): ManifestSource {
  const [, template] = /^# Source: (\S.*?)\r?$/m.exec(text.slice(0, commentMax)) ?? [];
  return template === undefined ? { name } : { name, template };
}

/** How many characters to search for the comment at the start of a document. */
const commentMax = 500;

type Report = (rule: string, message: string, line?: number) => void;

interface Item {
  readonly value: unknown;
  readonly path: readonly (string | number)[];
}

function objectsIn(text: string, firstLine: number, report: Report): readonly Item[] {
  try {
    return itemsOf({ value: readYaml(text, { strict: true }), path: [] });
  } catch (failure) {
    if (!(failure instanceof YamlError)) throw failure;
    const reported = linesOf(failure.message);
    const isReadable = reported.every(({ message }) => isDuplicate(message));
    for (const { line, message } of reported) {
      report(isReadable ? rules.duplicateField : rules.syntax, message, firstLine - 1 + line);
    }
    return isReadable ? itemsOf({ value: readYaml(text), path: [] }) : [];
  }
}

const isDuplicate = (message: string): boolean => message.includes('already set in map');

/** Parses `yaml: line 3: …`, or several lines `  line 3: …` below a heading. */
function linesOf(text: string): readonly { readonly line: number; readonly message: string }[] {
  const reported = [...text.matchAll(/line (\d+): ([^\n]*)/g)];
  return reported.length === 0
    ? [{ line: 1, message: text.replace(/^yaml: /, '') }]
    : reported.map(([, line, message = '']) => ({ line: Math.max(1, Number(line)), message }));
}

function itemsOf({ value, path: itsPath }: Item): readonly Item[] {
  const { kind, items } = (value ?? {}) as { readonly kind?: unknown; readonly items?: unknown };
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) {
    return [{ value, path: itsPath }];
  }
  return items.flatMap((item, index) => itemsOf({ value: item, path: [...itsPath, 'items', index] }));
}

function isObject(value: unknown): value is KubeObject {
  const { apiVersion, kind } = (value ?? {}) as Partial<Record<string, unknown>>;
  return typeof apiVersion === 'string' && apiVersion !== '' && typeof kind === 'string' && kind !== '';
}
