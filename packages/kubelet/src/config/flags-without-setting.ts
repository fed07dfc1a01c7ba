/**
 * Flags of the original that no setting stands for. Some ask for what is not built, and are refused; the others are
 * about parts that the kubelet hasn't, and whoever gives them is told.
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

/** What the program itself goes by. */
const ofProgram: ReadonlySet<string> = new Set([
  'config',
  'config-dir',
  'root-dir',
  'cert-dir',
  'bootstrap-kubeconfig',
]);

/**
 * @param names all flags that may be without effect
 * @returns a line for each that was given and changes nothing
 * @throws Error for one that asks for what is not built
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
