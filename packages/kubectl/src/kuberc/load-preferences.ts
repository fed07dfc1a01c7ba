/** Reads the preferences that apply to a command line. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { KubectlIo } from '../io.ts';
import { logLine } from '../log-line.ts';
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
    const decoded = await readFirst(io, file, entryLog(io, args));
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

/** Explains from verbosity 5 on which entry is used; options are parsed only after preferences have been applied. */
function entryLog(io: KubectlIo, args: readonly string[]): (text: string) => void {
  const level = /(?:^| )--?v[= ]?(\d+)(?: |$)/.exec(args.join(' '))?.[1] ?? '0';
  if (Number(level) < 5) return () => undefined;
  return (text) => io.err.write(logLine('I', io.clock.now(), `kuberc: ${text}`));
}

async function readFirst(
  io: KubectlIo,
  { path, isExplicit }: PreferenceFile,
  log: (text: string) => void,
): Promise<Decoded | undefined> {
  const text = readIfThere(io, path);
  if (text === undefined) {
    if (isExplicit) throw new Error(`open ${path}: no such file or directory`);
    return undefined;
  }
  const documents = text.split(/^---.*$/m).filter((document) => document.trim() !== '');
  if (documents.length === 0) {
    log(`no preferences found in ${path}`);
    return undefined;
  }
  const { readYaml } = await import('@coxswain/apimachinery/yaml/read.ts');
  const { decodePreference } = await import('./preference.ts');
  for (const [at, document] of documents.entries()) {
    const entry = `entry ${at + 1}`;
    try {
      const read = readYaml(document);
      const decoded = decodePreference(read);
      const { apiVersion, kind } = (read ?? {}) as { readonly apiVersion?: unknown; readonly kind?: unknown };
      if (decoded !== undefined) {
        log(`using ${entry} (${String(apiVersion)}) in ${path}`);
        return decoded;
      }
      log(`unexpected GroupVersionKind for ${entry} in ${path}: ${String(apiVersion)}, Kind=${String(kind)}`);
    } catch (failure) {
      // Another document may be valid.
      log(`strict decoding error for ${entry} in ${path}: ${messageOf(failure)}`);
    }
  }
  throw new Error(`no valid preferences found in ${path}, use --v=5 to see details`);
}
