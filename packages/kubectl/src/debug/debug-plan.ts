/** The parsed command line of `kubectl debug`, and the container that it describes. */
import type { CommandContext } from '../context.ts';
import { randomSuffix } from '../random-suffix.ts';
import { customised, type CustomProfile } from './custom-profile.ts';
import { containersOf, withContainer, type DebugContainer, type DebugPod } from './debug-pod.ts';
import type { KeptParts } from './profile-steps.ts';
import type { DebugStyle, Profile } from './profiles.ts';

export interface DebugPlan {
  readonly image: string;
  /** The command of the container, or its arguments with `argumentsOnly`. */
  readonly words: readonly string[];
  readonly argumentsOnly: boolean;
  readonly container: string;
  readonly env: Readonly<Record<string, string>>;
  readonly imagePullPolicy: string;
  readonly stdin: boolean;
  readonly tty: boolean;
  readonly target: string;
  readonly quiet: boolean;
  readonly profile: Profile;
  readonly custom: CustomProfile | undefined;
  readonly kept: KeptParts;
}

export const wordsOf = ({ words, argumentsOnly }: DebugPlan): Partial<DebugContainer> =>
  words.length === 0 ? {} : argumentsOnly ? { args: words } : { command: words };

export const environmentOf = ({ env }: DebugPlan): { name: string; value: string }[] =>
  Object.entries(env).map(([name, value]) => ({ name, value }));

/** Returns the plan's new container before a profile is applied. */
export function newContainer(plan: DebugPlan, name: string): DebugContainer {
  const env = environmentOf(plan);
  return {
    name,
    image: plan.image,
    ...wordsOf(plan),
    ...(env.length > 0 && { env }),
    resources: {},
    terminationMessagePolicy: 'File',
    ...(plan.imagePullPolicy !== '' && { imagePullPolicy: plan.imagePullPolicy }),
    ...(plan.stdin && { stdin: true }),
    ...(plan.tty && { tty: true }),
  };
}

/** Applies the profile and the user's customizations to the pod. */
export function profiled(plan: DebugPlan, style: DebugStyle, pod: DebugPod, container: string): DebugPod {
  const changed = plan.profile[style].reduce((before, step) => step(before, container, plan.kept), pod);
  const { custom } = plan;
  return custom === undefined ? changed : withContainer(changed, container, (one) => customised(one, custom));
}

/** Returns the user's name for the container, or a generated one, which is printed. */
export function containerName(context: CommandContext, plan: DebugPlan, pod: DebugPod): string {
  if (plan.container !== '') return plan.container;
  const taken = new Set(containersOf(pod).map(({ name }) => name));
  let name: string;
  do name = `debugger-${randomSuffix(context.io.random)}`;
  while (taken.has(name));
  if (!plan.quiet) context.print(`Defaulting debug container name to ${name}.\n`);
  return name;
}

/** Warns about privileges that a non-root user can't use. */
export function warnOfUser(context: CommandContext, pod: DebugPod, name: string): void {
  const security = containersOf(pod).findLast((one) => one.name === name)?.securityContext;
  if ((pod.spec.securityContext?.runAsUser ?? 0) === 0) return;
  if (security === undefined || security.runAsUser === 0) return;
  if (security.privileged !== true && (security.capabilities?.add ?? []).length === 0) return;
  context.printError(
    'Warning: Non-root user is configured for the entire target Pod, and some capabilities granted by debug profile may not work. Please consider using "--custom" with a custom profile that specifies "securityContext.runAsUser: 0".\n',
  );
}
