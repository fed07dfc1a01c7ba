/** The policy that a namespace's labels state, and what a pod does against it. */
import { invalidError } from '@coxswain/apimachinery';
import type { FieldError } from '@coxswain/apimachinery';
import { baselineChecks, restrictedChecks } from './checks.ts';
import type { Check } from './checks.ts';
import type { CheckedPod, Violation } from './checked-pod.ts';

export type Level = 'privileged' | 'baseline' | 'restricted';
const levels: readonly Level[] = ['privileged', 'baseline', 'restricted'];

export interface LevelVersion {
  readonly level: Level;
  /** `latest` or `v1.30` */
  readonly version: string;
}

export interface Policy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
  readonly errors: readonly FieldError[];
}

export const levelText = ({ level, version }: LevelVersion): string => `${level}:${version}`;

export const isSame = (a: LevelVersion, b: LevelVersion): boolean => levelText(a) === levelText(b);

export const isStricter = (a: Level, b: Level): boolean => levels.indexOf(a) > levels.indexOf(b);

const prefix = 'pod-security.kubernetes.io/';

export function policyOf(labels: Readonly<Record<string, string>> = {}): Policy {
  const errors: FieldError[] = [];
  const refuse = (name: string, value: string, detail: string) =>
    errors.push(invalidError(`metadata.labels[${name}]`, value, detail));
  const stated = (mode: string, onError: Level): LevelVersion => {
    const level = labels[`${prefix}${mode}`];
    const version = labels[`${prefix}${mode}-version`];
    const isLevel = level === undefined || levels.includes(level as Level);
    if (!isLevel) refuse(`${prefix}${mode}`, level, `must be one of ${levels.join(', ')}`);
    const isVersion = version === undefined || minorOf(version) !== undefined;
    if (!isVersion) refuse(`${prefix}${mode}-version`, version, 'must be "latest" or "v1.x"');
    return {
      level: isLevel ? ((level ?? 'privileged') as Level) : onError,
      version: isVersion ? (version ?? 'latest') : 'latest',
    };
  };
  // What can't be understood is enforced strictly, and otherwise left alone.
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

/** What is newer than anything known counts as the newest. */
function minorOf(version: string): number | undefined {
  if (version === 'latest') return Infinity;
  const match = /^v1\.(0|[1-9]\d*)$/.exec(version);
  return match === null ? undefined : Number(match[1]);
}

export function violationsOf({ level, version }: LevelVersion, pod: CheckedPod): readonly Violation[] {
  if (level === 'privileged') return [];
  const minor = minorOf(version) ?? Infinity;
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
