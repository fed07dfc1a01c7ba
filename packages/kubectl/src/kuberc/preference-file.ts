/** Locates the preferences file and reads it. */
import { readFailureText } from '@coxswain/apimachinery/system-message.ts';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { KubectlIo } from '../io.ts';
import type { Preference } from './preference.ts';

export interface PreferenceFile {
  readonly path: string;
  /** Whether it was named explicitly, so that it must exist. */
  readonly isExplicit: boolean;
}

/** Preferences can be disabled as a feature, which also removes their commands. */
export const preferencesAreEnabled = (env: KubectlIo['env']): boolean =>
  env['KUBECTL_KUBERC']?.toLowerCase() !== 'false';

/** Undefined if preferences are off. @throws Error if a file is named although they are off */
export function findPreferences(env: KubectlIo['env'], named: string): PreferenceFile | undefined {
  const variable = env['KUBERC'] ?? '';
  if (variable === 'off') {
    if (named !== '')
      throw new Error('disabling kuberc via KUBERC=off and passing kuberc flag are mutually exclusive');
    return undefined;
  }
  if (named !== '' || variable !== '') return { path: named || variable, isExplicit: true };
  const home = env['HOME'] ?? '';
  return home === '' ? undefined : { path: join(home, '.kube', 'kuberc'), isExplicit: false };
}

/** Returns the text of the file; undefined if it doesn't exist. */
export function readIfThere(io: KubectlIo, path: string): string | undefined {
  try {
    return readFileSync(resolve(io.workingDirectory, path), 'utf8');
  } catch (failure) {
    const { code } = failure as { code?: string };
    if (code === 'ENOENT') return undefined;
    throw new Error(readFailureText(path, failure), { cause: failure });
  }
}

export async function savePreferences(
  io: KubectlIo,
  path: string,
  { kind, apiVersion, defaults, aliases, ...rest }: Preference,
): Promise<void> {
  const { writeYaml } = await import('@coxswain/apimachinery/yaml/write.ts');
  const file = resolve(io.workingDirectory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, writeYaml({ kind, apiVersion, defaults, aliases, ...rest }), { mode: 0o644 });
  io.out.write(`Updated ${path}\n`);
}
