/** The file that `kubectl kuberc` edits. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { string } from '@coxswain/cobra';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import type { KubectlIo } from '../../io.ts';
import { findPreferences, readIfThere, type PreferenceFile } from '../../kuberc/preference-file.ts';
import { readCurrent, type Preference } from '../../kuberc/preference.ts';

export const kubercFlag = { kuberc: string({ usage: 'Path to the kuberc (preferences) file.' }) };

/** @throws Error if preferences are disabled */
export function editedFile(io: KubectlIo, named: string): PreferenceFile {
  const file = findPreferences(io.env, named);
  if (file === undefined) throw new Error('KUBERC is disabled via KUBERC=off environment variable');
  return file;
}

export async function readFileOf(io: KubectlIo, path: string): Promise<string | undefined> {
  try {
    return readIfThere(io, path);
  } catch (failure) {
    throw new Error(`error reading kuberc file: ${messageOf(failure)}`, { cause: failure });
  }
}

export function parsePreferences(text: string): Preference {
  let document: unknown;
  try {
    document = readYaml(text);
  } catch (failure) {
    throw new Error(`error parsing kuberc file: error converting YAML to JSON: yaml: ${messageOf(failure)}`, {
      cause: failure,
    });
  }
  try {
    return readCurrent(document);
  } catch (failure) {
    throw new Error(
      `error parsing kuberc file: error unmarshaling JSON: while decoding JSON: ${messageOf(failure)}`,
      { cause: failure },
    );
  }
}
