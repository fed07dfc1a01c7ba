/** Reads the preferences that apply to a command line. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { KubectlIo } from '../io.ts';
import { findPreferences, readIfThere, type PreferenceFile } from './preference-file.ts';
import type { Decoded, Preference } from './preference.ts';

/**
 * Returns the first preference in the file. Problems in a file that wasn't named explicitly are only reported.
 * @throws Error if a named file can't be used
 */
export async function loadPreferences(
  io: KubectlIo,
  args: readonly string[],
): Promise<Preference | undefined> {
  const file = locate(io, namedFile(args));
  if (file === undefined) return undefined;
  try {
    const decoded = await readFirst(io, file);
    if (decoded === undefined) return undefined;
    if (decoded.problems.length > 0)
      io.err.write(
        `kuberc: ignoring strict decoding error in ${file.path}: strict decoding error: ${decoded.problems.join(', ')}`,
      );
    return decoded.preference;
  } catch (failure) {
    const message = messageOf(failure);
    if (file.isExplicit) throw new Error(`kuberc error kuberc: ${message}`, { cause: failure });
    io.err.write(`kuberc: no preferences loaded from ${file.path}: ${message}`);
    return undefined;
  }
}

function locate(io: KubectlIo, named: string): PreferenceFile | undefined {
  try {
    return findPreferences(io.env, named);
  } catch (failure) {
    throw new Error(`kuberc error ${messageOf(failure)}`, { cause: failure });
  }
}

/** Returns the value of --kuberc, which is needed before options are parsed. */
function namedFile(args: readonly string[]): string {
  for (const [at, arg] of args.entries()) {
    if (arg === '--') return '';
    const value =
      arg === '--kuberc' ? args[at + 1] : arg.includes('--kuberc=') ? arg.split('=')[1] : undefined;
    if (value !== undefined && value !== '') return value;
    if (arg === '--kuberc' || arg.includes('--kuberc=')) throw new Error('kuberc file is not found');
  }
  return '';
}

async function readFirst(io: KubectlIo, { path, isExplicit }: PreferenceFile): Promise<Decoded | undefined> {
  const text = readIfThere(io, path);
  if (text === undefined) {
    if (isExplicit) throw new Error(`open ${path}: no such file or directory`);
    return undefined;
  }
  const documents = text.split(/^---.*$/m).filter((document) => document.trim() !== '');
  if (documents.length === 0) return undefined;
  const { readYaml } = await import('@coxswain/apimachinery/yaml/read.ts');
  const { decodePreference } = await import('./preference.ts');
  for (const document of documents) {
    try {
      const decoded = decodePreference(readYaml(document));
      if (decoded !== undefined) return decoded;
    } catch {
      // Another document may be valid.
    }
  }
  throw new Error(`no valid preferences found in ${path}, use --v=5 to see details`);
}
