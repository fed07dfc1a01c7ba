/** `--emulated-version` and `--min-compatibility-version`: this server behaves as itself only. */
import { versionInfo } from '@coxswain/component-base/version.ts';
import type { ApiServerFlags } from './effective-flags.ts';

type VersionFlags = Pick<
  ApiServerFlags,
  | 'emulatedVersion'
  | 'minCompatibilityVersion'
  | 'emulationForwardCompatible'
  | 'runtimeConfigEmulationForwardCompatible'
>;

const minor = Number(versionInfo.minor);
const binaryVersion = `1.${minor}`;
/** How many minor versions back the original goes. */
const emulatedMinors = 3;

/** @throws Error for what is no version, or a version of another component, in the original's words */
export function versionProblems(flags: VersionFlags): string[] {
  const emulated = versionOf(flags.emulatedVersion);
  const oldest = versionOf(flags.minCompatibilityVersion);
  const sameVersion = 'cannot be set to true if the emulation version is the same as the binary version';
  const range = `[1.${minor - emulatedMinors}, ${binaryVersion}]`;
  return [
    ...(emulated === undefined || emulated === minor
      ? []
      : isBetween(emulated)
        ? ['--emulated-version is not supported by this server']
        : [
            `emulation version 1.${emulated} is not between [1.${minor - emulatedMinors}, ${binaryVersion}.0]`,
            // Unless something else is said, it goes with what is emulated, as far back as there is.
            ...(oldest === undefined && emulated < minor - emulatedMinors
              ? [
                  `minCompatibilityVersion version 1.${minor - emulatedMinors} is not between [1.${minor - emulatedMinors}, 1.${emulated}]`,
                ]
              : []),
          ]),
    ...(oldest === undefined || oldest === minor - 1
      ? []
      : isBetween(oldest)
        ? ['--min-compatibility-version is not supported by this server']
        : [`minCompatibilityVersion version 1.${oldest} is not between ${range}`]),
    ...(flags.emulationForwardCompatible
      ? [`ServerRunOptions.EmulationForwardCompatible ${sameVersion}`]
      : []),
    ...(flags.runtimeConfigEmulationForwardCompatible
      ? [`ServerRunOptions.RuntimeConfigEmulationForwardCompatible ${sameVersion}`]
      : []),
  ];
}

const isBetween = (wanted: number): boolean => wanted >= minor - emulatedMinors && wanted <= minor;

/** The minor version that is said for the component `kube`. */
function versionOf(settings: readonly string[]): number | undefined {
  const seen = new Map<string, number>();
  for (const setting of settings) {
    const [component, text] = setting.includes('=') ? setting.split(/=(.*)/s) : ['kube', setting];
    const match = /^\s*v?1\.(\d+)(?:\.(\d+))?\s*$/.exec(text ?? '');
    if (match === null) throw new Error(`could not parse ${JSON.stringify(text)} as version`);
    if (Number(match[2] ?? 0) !== 0) {
      throw new Error(`patch version not allowed, got: ${component}=${(text ?? '').trim()}`);
    }
    if (component !== 'kube') throw new Error(`component not registered: ${component}`);
    if (seen.has(component)) {
      throw new Error(`duplicate version flag, kube=1.${seen.get(component)} and kube=1.${match[1]}`);
    }
    seen.set(component, Number(match[1]));
  }
  return seen.get('kube');
}
