/** `--emulated-version` and `--min-compatibility-version`: the version of Kubernetes as which a program behaves. */
import { goQuote } from '@coxswain/cobra';
import { versionInfo } from './version.ts';

/** Minor versions of Kubernetes 1. */
export interface EffectiveVersion {
  /** The version that determines the API, feature gates and defaults. */
  readonly emulated: number;
  /** The oldest version of the cluster's other programs, which must understand stored objects and new expressions. */
  readonly minCompatibility: number;
}

const binaryMinor = Number(versionInfo.minor);
/** The number of minor versions that can be emulated. */
const emulatedMinors = 3;
const oldestMinor = binaryMinor - emulatedMinors;

const goingWith = (emulated: number): EffectiveVersion => ({
  emulated,
  minCompatibility: Math.max(oldestMinor, emulated - 1),
});

export const ownVersion: EffectiveVersion = goingWith(binaryMinor);

export const isEmulation = ({ emulated }: EffectiveVersion): boolean => emulated !== binaryMinor;

/** @throws Error, in upstream's words, if it is not a version; `versionProblems` reports unsupported ones */
export function effectiveVersion(emulated: readonly string[], oldest: readonly string[]): EffectiveVersion {
  const version = goingWith(minorOf(emulated) ?? binaryMinor);
  return { ...version, minCompatibility: minorOf(oldest) ?? version.minCompatibility };
}

/** The version for a name such as `1.34`. @throws Error if this program cannot emulate it */
export function versionNamed(name: string): EffectiveVersion {
  const version = effectiveVersion([name], []);
  const [problem] = versionProblems(version);
  if (problem !== undefined) throw new Error(problem);
  return version;
}

export function versionProblems({ emulated, minCompatibility }: EffectiveVersion): readonly string[] {
  const isBetween = (minor: number, newest: number) => minor >= oldestMinor && minor <= newest;
  return [
    ...(isBetween(emulated, binaryMinor)
      ? []
      : [`emulation version 1.${emulated} is not between [1.${oldestMinor}, 1.${binaryMinor}.0]`]),
    ...(isBetween(minCompatibility, emulated)
      ? []
      : [
          `minCompatibilityVersion version 1.${minCompatibility} is not between [1.${oldestMinor}, 1.${emulated}]`,
        ]),
  ];
}

/** The minor version given for the component `kube`. */
function minorOf(settings: readonly string[]): number | undefined {
  const seen = new Map<string, number>();
  for (const setting of settings) {
    const [component = '', text = ''] = setting.includes('=') ? setting.split(/=(.*)/s) : ['kube', setting];
    const [, minor, patch] = /^\s*v?1\.(\d+)(?:\.(\d+))?\s*$/.exec(text) ?? [];
    if (minor === undefined) throw new Error(`could not parse ${goQuote(text)} as version`);
    if (Number(patch ?? 0) !== 0) {
      throw new Error(`patch version not allowed, got: ${component.trim()}=${text.trim()}`);
    }
    const first = seen.get(component.trim());
    if (first !== undefined) {
      throw new Error(
        `duplicate version flag, ${component.trim()}=1.${first} and ${component.trim()}=1.${minor}`,
      );
    }
    seen.set(component.trim(), Number(minor));
  }
  for (const component of seen.keys()) {
    if (component !== 'kube') throw new Error(`component not registered: ${component}`);
  }
  return seen.get('kube');
}

/** The response of `/version` for the emulated version. */
export const versionAnswer = ({ emulated, minCompatibility }: EffectiveVersion) => {
  const { major, minor, ...build } = versionInfo;
  return {
    major,
    minor,
    emulationMajor: '1',
    emulationMinor: `${emulated}`,
    minCompatibilityMajor: '1',
    minCompatibilityMinor: `${minCompatibility}`,
    ...build,
  };
};
