/** The policy of a namespace's labels, and the violations of a pod. */
import { invalidError, type FieldError } from '@coxswain/apimachinery';
import { isEmulation, type EffectiveVersion } from '@coxswain/component-base/effective-version.ts';
import { baselineChecks, restrictedChecks, type Check } from './checks.ts';
import type { CheckedPod, Violation } from './checked-pod.ts';

export type Level = 'privileged' | 'baseline' | 'restricted';
const levels: readonly Level[] = ['privileged', 'baseline', 'restricted'];

export interface LevelVersion {
  readonly level: Level;
  /** `latest` or `v1.30` */
  readonly version: string;
}

export interface PolicyLevels {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

export interface Policy extends PolicyLevels {
  readonly errors: readonly FieldError[];
}

export const privileged: LevelVersion = { level: 'privileged', version: 'latest' };

const unrestricted: PolicyLevels = { enforce: privileged, audit: privileged, warn: privileged };

export const isFullyPrivileged = ({ enforce, audit, warn }: PolicyLevels): boolean =>
  [enforce, audit, warn].every(({ level }) => level === 'privileged');

export const isLevel = (text: string): text is Level => levels.includes(text as Level);
export const isVersion = (text: string): boolean => minorOf(text) !== undefined;

export const levelProblem = `must be one of ${levels.join(', ')}`;
export const versionProblem = 'must be "latest" or "v1.x"';

export const levelText = ({ level, version }: LevelVersion): string => `${level}:${version}`;

export const isSame = (a: LevelVersion, b: LevelVersion): boolean => levelText(a) === levelText(b);

export const isStricter = (a: Level, b: Level): boolean => levels.indexOf(a) > levels.indexOf(b);

const prefix = 'pod-security.kubernetes.io/';

/** The policy of a namespace's labels, completed by `defaults`. */
export function policyOf(
  labels: Readonly<Record<string, string>> = {},
  defaults: PolicyLevels = unrestricted,
): Policy {
  const errors: FieldError[] = [];
  const refuse = (name: string, value: string, detail: string) =>
    errors.push(invalidError(`metadata.labels[${name}]`, value, detail));
  const stated = (mode: keyof PolicyLevels, onError: Level): LevelVersion => {
    const { level = defaults[mode].level, version = defaults[mode].version } = {
      ...(labels[`${prefix}${mode}`] !== undefined && { level: labels[`${prefix}${mode}`]! }),
      ...(labels[`${prefix}${mode}-version`] !== undefined && {
        version: labels[`${prefix}${mode}-version`]!,
      }),
    };
    if (!isLevel(level)) refuse(`${prefix}${mode}`, level, levelProblem);
    if (!isVersion(version)) refuse(`${prefix}${mode}-version`, version, versionProblem);
    return { level: isLevel(level) ? level : onError, version: isVersion(version) ? version : 'latest' };
  };
  // Invalid labels are enforced strictly; warn and audit ignore them.
  const enforce = stated('enforce', 'restricted');
  const audit = stated('audit', 'privileged');
  const warn = stated('warn', 'privileged');
  const followsEnforce =
    labels[`${prefix}warn`] === undefined && labels[`${prefix}enforce`] === enforce.level;
  const version = labels[`${prefix}warn-version`] === undefined ? enforce.version : warn.version;
  return {
    enforce,
    audit,
    warn: followsEnforce && isStricter(enforce.level, warn.level) ? { level: enforce.level, version } : warn,
    errors,
  };
}

/** The modes that the labels set to more than privileged: `enforce=baseline:latest, warn=…`. */
export const statedText = (policy: PolicyLevels, labels: Readonly<Record<string, string>>): string =>
  (['enforce', 'audit', 'warn'] as const)
    .filter(
      (mode) =>
        policy[mode].level !== 'privileged' &&
        (labels[`${prefix}${mode}`] ?? labels[`${prefix}${mode}-version`]) !== undefined,
    )
    .map((mode) => `${mode}=${levelText(policy[mode])}`)
    .join(', ');

/** A version newer than all known ones counts as the newest. */
function minorOf(version: string): number | undefined {
  if (version === 'latest') return Infinity;
  const match = /^v1\.(0|[1-9]\d*)$/.exec(version);
  return match === null ? undefined : Number(match[1]);
}

/** The newest version of the checks for the version that a program emulates. */
export const newestPolicyOf = (version: EffectiveVersion): number =>
  isEmulation(version) ? version.emulated : Infinity;

/** @param newest the newest version of the checks; later versions are treated like it */
export function violationsOf(
  { level, version }: LevelVersion,
  pod: CheckedPod,
  newest: number,
): readonly Violation[] {
  if (level === 'privileged') return [];
  const minor = Math.min(minorOf(version) ?? Infinity, newest);
  const isThere = ({ since = 0 }: Check) => minor >= since;
  const restricted = level === 'restricted' ? restrictedChecks.filter(isThere) : [];
  const replaced = new Set(restricted.map(({ replaces }) => replaces));
  return [...baselineChecks.filter((check) => isThere(check) && !replaced.has(check.id)), ...restricted]
    .map(({ find }) => find(pod, minor))
    .filter((found) => found !== undefined);
}

export const detailsText = (violations: readonly Violation[]): string =>
  violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');

export const reasonsText = (violations: readonly Violation[]): string =>
  violations.map(({ reason }) => reason).join(', ');
