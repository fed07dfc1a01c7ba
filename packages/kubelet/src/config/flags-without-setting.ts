/**
 * Upstream's flags without a corresponding setting. Those that request an unimplemented feature are refused; the others
 * concern parts that this kubelet lacks, and cause a warning.
 */
import { flagSettings } from './flag-settings.ts';

const unbuilt: ReadonlySet<string> = new Set([
  'cloud-provider',
  'exit-on-lock-contention',
  'image-credential-provider-bin-dir',
  'image-credential-provider-config',
  'lock-file',
  'manifest-url-header',
]);

/** Flags of the program itself. */
const ofProgram: ReadonlySet<string> = new Set([
  'config',
  'config-dir',
  'root-dir',
  'cert-dir',
  'bootstrap-kubeconfig',
]);

/**
 * @param names all flags that may have no effect
 * @returns a line for each that was set but has no effect
 * @throws Error for one that requests an unimplemented feature
 */
export function ineffectiveFlagLines(
  names: readonly string[],
  changed: (name: string) => boolean,
): readonly string[] {
  const given = names.filter((name) => changed(name) && !ofProgram.has(name) && !(name in flagSettings));
  const refused = given.find((name) => unbuilt.has(name));
  if (refused !== undefined) throw new Error(`--${refused} is not implemented`);
  return given.map((name) => `--${name} has no effect`);
}
